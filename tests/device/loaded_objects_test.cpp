// device/cpu/loaded_objects: many kernels in one process.
#include <device/hand_made.hpp>
#include <support/changed_variable.hpp>
#include <support/sample.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/cpu/loaded_objects.hpp>
#include <emit/source.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tests;
using kiln::backend::loaded_kernel;
using kiln::backend::loaded_objects;

std::size_t mappings() {
    std::ifstream maps("/proc/self/maps");
    return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

/// While it lives, so many objects are loaded at most.
struct bound {
    explicit bound(std::size_t count) { loaded_objects::set_most(count); }
    ~bound() { loaded_objects::set_most(0); }
    bound(const bound&) = delete;
    bound& operator=(const bound&) = delete;
};

/// y = x + x, compiled once and loaded as often as somebody likes.
struct doubling {
    hand_made made;
    std::unique_ptr<kiln::backend::device> on;
    std::string name;
    std::string binary;
    std::atomic<int> again{0};
    bool is_lost = false;  // the binary is not to be had again

    doubling() {
        const changed_variable cpu("KILN_CPU", "compile");
        on = kiln::backend::make_cpu_device();
        const value_id x = made.array(kiln::element_type::float32);
        made.output(made.step(kiln::operation::add, kiln::element_type::float32, {x, x}));
        const kiln::emit::source source = kiln::emit::emit(made.code, made.kernel, kiln::plan::frame::host);
        name = source.name;
        if (on->toolchain()) binary = on->toolchain()->compile(source).bytes;
    }

    [[nodiscard]] std::unique_ptr<loaded_kernel> load(bool may_go = true) {
        auto loaded = on->load(binary, name, made.code, made.kernel);
        if (loaded && may_go)
            loaded->load_again_from([this] {
                ++again;
                if (is_lost) throw std::runtime_error("gone");
                return binary;
            });
        return loaded;
    }

    [[nodiscard]] bool runs(const loaded_kernel& kernel, float value) const {
        std::vector<float> from(100, value);
        std::vector<float> to(100, -1.0f);
        hand_packed parameters;
        parameters.pointer(reinterpret_cast<std::byte*>(to.data()));
        parameters.pointer(reinterpret_cast<std::byte*>(from.data()));
        parameters.count(100);
        kiln::backend::launch_arguments arguments;
        arguments.parameters = parameters.slots();
        arguments.element_count = 100;
        on->launch(kernel, arguments);
        return to == std::vector<float>(100, 2 * value);
    }
};

}  // namespace

TEST_CASE("case 59: 20,000 kernels in one process take a bounded number of mappings, and each runs") {
#ifdef __SANITIZE_THREAD__
    MESSAGE("skipped: ThreadSanitizer reads the list of all mappings at each dlopen()");
    return;
#endif
    doubling of;
    if (of.binary.empty()) return;
    // A third more than are loaded at once make room, too.
    const int count = tests::tries_every_combination() ? 20'000 : 9'000;
    // As many as Linux's usual bound on mappings allows, whatever this machine's is.
    const bound usual(6'553);
    const std::size_t before = mappings();
    std::vector<std::unique_ptr<loaded_kernel>> kernels;
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        kernels.push_back(of.load());
        REQUIRE(kernels.back());
        if (!of.runs(*kernels.back(), static_cast<float>(i))) ++wrong;
    }
    CHECK(loaded_objects::count() <= loaded_objects::most());
    CHECK(mappings() - before < 65'530 / 2 + 1000);
    CHECK(of.again == 0);
    // The first ones have made room long ago, the last ones not.
    for (int i = 0; i < 200; ++i)
        if (!of.runs(*kernels[static_cast<std::size_t>(i)], 1.5f)) ++wrong;
    CHECK(of.again == 200);
    for (int i = count - 200; i < count; ++i)
        if (!of.runs(*kernels[static_cast<std::size_t>(i)], 2.5f)) ++wrong;
    CHECK(of.again == 200);
    CHECK(wrong == 0);
    kernels.clear();
    CHECK(mappings() < before + 100);
}

TEST_CASE("case 59: those idle longest go, and those that cannot be had again stay") {
    doubling of;
    if (of.binary.empty()) return;
    const std::size_t others = loaded_objects::count();
    const bound most(others + 32);
    const auto kept = of.load(false);
    std::vector<std::unique_ptr<loaded_kernel>> kernels;
    for (int i = 0; i < 30; ++i) kernels.push_back(of.load());
    for (int round = 0; round < 100; ++round) {
        kernels.push_back(of.load());
        CHECK(of.runs(*kernels.front(), 1.0f));  // always in use: stays
        CHECK(of.runs(*kept, 3.0f));
    }
    CHECK(of.again == 0);
    CHECK(of.runs(*kernels[5], 1.0f));
    CHECK(of.again == 1);
}

TEST_CASE("case 59: threads that launch while others make room get right answers") {
    doubling of;
    if (of.binary.empty()) return;
    const bound most(loaded_objects::count() + 16);
    std::vector<std::unique_ptr<loaded_kernel>> kernels;
    for (int i = 0; i < 40; ++i) kernels.push_back(of.load());
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned seed = 1; seed <= 4; ++seed)
        threads.emplace_back([&, seed] {
            unsigned drawn = seed;
            for (int i = 0; i < 400; ++i) {
                drawn = drawn * 1664525u + 1013904223u;
                if (!of.runs(*kernels[(drawn >> 16) % kernels.size()], static_cast<float>(i))) ++wrong;
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(of.again > 0);
}

TEST_CASE("case 59: a kernel that cannot be loaded again says so each time, and runs when it can be") {
    doubling of;
    if (of.binary.empty()) return;
    const bound most(loaded_objects::count() + 4);
    std::vector<std::unique_ptr<loaded_kernel>> kernels;
    for (int i = 0; i < 12; ++i) kernels.push_back(of.load());
    of.is_lost = true;
    CHECK_THROWS_AS(static_cast<void>(of.runs(*kernels[0], 1.0f)), std::runtime_error);
    CHECK_THROWS_AS(static_cast<void>(of.runs(*kernels[0], 1.0f)), std::runtime_error);
    of.is_lost = false;
    CHECK(of.runs(*kernels[0], 1.0f));
}
