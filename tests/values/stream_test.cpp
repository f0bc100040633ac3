// k::stream: on a GPU streams of its own; on the CPU objects that do nothing. Results are the same on all.
#include <device/gpu_bench.hpp>
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace k = kiln;

TEST_CASE("stream: arrays cross streams in the order in which they are used") {
    const k::stream one;
    const k::stream other(k::current_device(), -100);
    CHECK(one.device() == k::current_device());
    CHECK((one.native() != nullptr) == k::current_device().is_cuda());
    k::array<double> x = k::zeros<double>({1 << 20});
    for (int i = 0; i < 20; ++i) {
        {
            const k::scoped_stream here(one);
            x = x + 1;
        }
        const k::scoped_stream here(other);
        const k::array<double> y = x * 2;
        x = y - x;
        x += 1;
    }
    CHECK(k::min(x).item() == 40);
    CHECK(k::max(x).item() == 40);
    one.synchronize();
    other.synchronize();
}

TEST_CASE("stream: scoped_stream nests, and gives the stream before back") {
    const k::stream outer;
    const k::stream inner;
    k::array<float> x = k::ones<float>({1000});
    {
        const k::scoped_stream one(outer);
        x += 1;
        {
            const k::scoped_stream two(inner);
            x *= 3;
        }
        x += 1;
    }
    CHECK(k::sum(x).item() == 7000);
}

TEST_CASE("stream: moved, and gone while arrays that were made on it live") {
    std::optional<k::stream> made(std::in_place);
    k::stream moved = std::move(*made);
    made.reset();
    k::array<float> x;
    {
        const k::scoped_stream here(moved);
        x = k::full<float>({1 << 20}, 2.0f) * 2;
    }
    moved = k::stream();
    CHECK(k::sum(x).item() == 4 * (1 << 20));
    x = x + 1;
    CHECK(k::max(x).item() == 5);
}

TEST_CASE("stream: waits for events of the user's, and records them") {
    if (!k::current_device().is_cuda()) return;
    const tests::user_driver user;
    constexpr unsigned no_times = 2;  // CU_EVENT_DISABLE_TIMING
    void* event = nullptr;
    REQUIRE(user.call("cuEventCreate", &event, no_times) == 0);
    const k::stream first;
    const k::stream second;
    // Memory that kiln does not keep in order: the event does.
    k::array<double> memory = k::zeros<double>({1 << 24});
    double* const there = memory.data();
    k::synchronize();
    {
        const k::scoped_stream here(first);
        k::wrap(there, {1 << 24}) = k::arange<double>(1 << 24) + 1;
        first.record(event);
    }
    {
        const k::scoped_stream here(second);
        second.wait_for(event);
        CHECK(k::sum(k::wrap(there, {1 << 24})).item() == 8388608.0 * 16777217.0);
    }
    second.synchronize();
    CHECK(user.call("cuEventDestroy_v2", event) == 0);
}
