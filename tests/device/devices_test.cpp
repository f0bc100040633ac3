// device/devices: which devices there are, which of them a thread is on, and devices that come and go.
#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>
#include <support/device_pairs.hpp>

#include <kiln/format.hpp>
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

template <class Call>
std::string said_by(Call&& call) {
    try {
        call();
    } catch (const k::device_error& thrown) {
        return thrown.what();
    }
    return "";
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("the CPU is the first of the devices, and there wherever there is no driver") {
    const std::vector<k::device> all = k::devices();
    REQUIRE(!all.empty());
    CHECK(all.front() == k::cpu);
    CHECK(k::cpu.name() == "cpu");
    CHECK(k::cpu.kind() == k::device_kind::cpu);
    CHECK(k::cpu.index() == 0);
    for (std::size_t i = 1; i < all.size(); ++i) {
        CHECK(all[i] == k::cuda(static_cast<int>(i) - 1));
        CHECK(all[i].name() == "cuda:" + std::to_string(i - 1));
        CHECK(all[i].is_cuda());
    }
    CHECK(k::devices() == all);
}

TEST_CASE("a GPU that is not there is refused: how many there are, or what was looked for") {
    const bool has_gpus = k::devices().size() > 1;
    for (const int index : {99, -1}) {
        const std::string said = said_by([&] { static_cast<void>(k::cuda(index)); });
        CAPTURE(said);
        CHECK(!said.empty());
        if (has_gpus) CHECK(says(said, "cuda:" + std::to_string(index) + " was asked for"));
        if (has_gpus) CHECK(says(said, " sees " + std::to_string(k::devices().size() - 1)));
        if (!has_gpus) CHECK(says(said, "CUDA"));
    }
}

TEST_CASE("a device is a small value, that fmt prints by its name") {
    static_assert(std::is_trivially_copyable_v<k::device> && sizeof(k::device) == sizeof(void*));
    const k::device copy = k::cpu;
    CHECK(copy == k::cpu);
    CHECK(fmt::format("{} {:>5}", copy, copy) == "cpu   cpu");
    for (const auto& [one, other] : tests::device_pairs()) CHECK(one != other);
}

TEST_CASE("a device describes itself, with its memory") {
    for (const k::device& each : {k::cpu, k::current_device()}) {
        const k::device_info info = each.describe();
        CHECK(!info.name.empty());
        CHECK(info.unit_count > 0);
        CHECK(info.total_bytes > 0);
        CHECK(info.free_bytes > 0);
        CHECK(info.free_bytes <= info.total_bytes);
        CHECK(info.is_cuda == each.is_cuda());
    }
}

TEST_CASE("a thread is on a device while a scoped_device lives; they nest, and other threads are where they were") {
    for (const auto& [one, other] : tests::device_pairs()) {
        CHECK(k::current_device() == one);
        {
            const k::scoped_device here(other);
            CHECK(k::current_device() == other);
            std::thread([usual = one] { CHECK(k::current_device() == usual); }).join();
            {
                const k::scoped_device back(one);
                CHECK(k::current_device() == one);
            }
            CHECK(k::current_device() == other);
            CHECK_THROWS_AS(
                [&usual = one] {
                    const k::scoped_device until_thrown(usual);
                    throw k::error("left by an exception");
                }(),
                k::error);
            CHECK(k::current_device() == other);
        }
        CHECK(k::current_device() == one);
    }
}

TEST_CASE("each device has a number of its own, and one that is gone takes its kernels with it and leaves no number") {
    const k::array<float> x = k::ones<float>({100});
    std::vector<std::uint64_t> tags;
    for (int round = 0; round < 40; ++round) {
        k::backend::known_device& added = k::backend::add_device(k::backend::make_cpu_device(), k::device_kind::cpu, 7);
        const auto handle = k::detail::access::make<k::device>(&added);
        tags.push_back(added.call_tag);
        {
            const k::array<float> y = k::to(handle, x);
            // What was found for the device before this one would launch what went with it.
            CHECK(k::array<float>(y + y + y).to_host() == std::vector<float>(100, 3.0f));
            CHECK(k::array<float>(y + y + y).device() == handle);
        }
        k::backend::remove_device(added);
        CHECK(says(said_by([&] { static_cast<void>(handle.describe()); }), "cpu:7 is gone"));
        CHECK(says(said_by([&] { static_cast<void>(k::to(handle, x)); }), "cpu:7 is gone"));
    }
    std::sort(tags.begin(), tags.end());
    CHECK(std::adjacent_find(tags.begin(), tags.end()) == tags.end());
}
