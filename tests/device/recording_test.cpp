// device/recording/recording: which memory a recording hands out, and what it leaves to the device behind it.
#include <device/devices.hpp>
#include <device/recording/recording.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace kiln;
using namespace kiln::backend;

namespace {

/// The device that there is, but with counters, and a note of what came back.
class with_counters final : public backend::device {
public:
    std::vector<std::byte*> deallocated;

    with_counters() { be(*inner_.known()); }

    std::byte* counters(int) override { return reinterpret_cast<std::byte*>(this); }
    [[nodiscard]] const plan::target& target() const noexcept override { return inner_.target(); }
    [[nodiscard]] device_info describe() const override { return inner_.describe(); }
    std::byte* allocate(std::size_t bytes) override { return inner_.allocate(bytes); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        deallocated.push_back(memory);
        inner_.deallocate(memory, bytes, streams);
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override {
        inner_.copy_from_host(to, from, bytes);
    }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override {
        inner_.copy_to_host(to, from, bytes);
    }
    [[nodiscard]] int current_stream() noexcept override { return inner_.current_stream(); }
    void use_stream(void* stream) override { inner_.use_stream(stream); }
    void order_after(int stream, int earlier) override { inner_.order_after(stream, earlier); }
    void synchronize() override { inner_.synchronize(); }
    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return inner_.toolchain(); }
    std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                        const lower::program& program, const plan::kernel& kernel) override {
        return inner_.load(binary, name, program, kernel);
    }
    std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) override {
        return inner_.interpret(program, kernel);
    }
    void launch(const loaded_kernel& kernel, const launch_arguments& arguments) override {
        inner_.launch(kernel, arguments);
    }

private:
    backend::device& inner_ = backend::current_device();
};

}  // namespace

TEST_CASE("a recording hands out the first free buffer of the size, and lets others wait") {
    with_counters behind;
    recording work(behind);
    std::byte* const a = work.allocate(1000);
    std::byte* const b = work.allocate(1000);
    std::byte* const other = work.allocate(1001);
    CHECK(a != b);
    work.deallocate(b, 1000, 0);
    work.deallocate(a, 1000, 0);
    CHECK(work.taken_count() == 1);
    CHECK(work.allocate(1000) == a);
    CHECK(work.allocate(1000) == b);
    for (std::byte* const each : {a, b}) work.deallocate(each, 1000, 0);
    work.deallocate(other, 1001, 0);
    CHECK(work.taken_count() == 0);
    CHECK(behind.deallocated.empty());
}

TEST_CASE("memory from outside goes back to where it came from") {
    with_counters behind;
    recording work(behind);
    std::byte* const outside = behind.allocate(64);
    work.deallocate(outside, 64, 1);
    CHECK(behind.deallocated == std::vector<std::byte*>{outside});
}

TEST_CASE("a recording has counters of its own, all 0, that no array gets") {
    with_counters behind;
    recording work(behind);
    std::byte* const counters = work.counters(recorded_stream);
    CHECK(counters != behind.counters(0));
    CHECK(work.counters(recorded_stream) == counters);
    std::vector<std::byte> values(counter_bytes);
    behind.copy_to_host(values.data(), counters, counter_bytes);
    CHECK(std::all_of(values.begin(), values.end(), [](std::byte each) { return each == std::byte{0}; }));
    CHECK(work.taken_count() == 0);
    std::byte* const array = work.allocate(counter_bytes);
    CHECK(array != counters);
    work.deallocate(array, counter_bytes, 0);
}

TEST_CASE("a thread records while the scope lives, and no other thread does") {
    backend::device& usual = backend::current_device();
    with_counters behind;
    recording work(behind);
    {
        const recording::scope recording_now(work);
        CHECK(&backend::current_device() == &work);
        CHECK(work.current_stream() == recorded_stream);
        CHECK_THROWS_AS(refuse_while_recording("this"), device_error);
    }
    CHECK(&backend::current_device() == &usual);
    refuse_while_recording("this");
}
