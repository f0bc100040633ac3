// device/cuda/cuda_streams and cuda_memory: work and blocks that cross streams, threads and captures.
#include <device/cuda/cuda_device.hpp>

#include <kiln/error.hpp>

#include <device/gpu_bench.hpp>

#include <doctest/doctest.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace tests;

TEST_CASE("streams have numbers; the default one is 0 by all its names") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    CHECK(on.gpu->current_stream() == 0);
    void* const a = on.user.make_stream();
    void* const b = on.user.make_stream();
    on.gpu->use_stream(a);
    const int number = on.gpu->current_stream();
    CHECK(number > 0);
    on.gpu->use_stream(b);
    CHECK(on.gpu->current_stream() > 0);
    CHECK(on.gpu->current_stream() != number);
    on.gpu->use_stream(a);
    CHECK(on.gpu->current_stream() == number);
    on.gpu->use_stream(reinterpret_cast<void*>(1));  // cudaStreamLegacy
    CHECK(on.gpu->current_stream() == 0);
    const std::string message =
        message_of<device_error>([&] { on.gpu->use_stream(reinterpret_cast<void*>(2)); });  // cudaStreamPerThread
    CHECK(contains(message, "per-thread default stream"));
    on.user.destroy_stream(a);
    on.user.destroy_stream(b);
}

TEST_CASE("on each device a thread has a stream of its own") {
    if (!gpu_is_there()) return;
    const gpu_bench one;
    const gpu_bench other;
    void* const a = one.user.make_stream();
    void* const b = other.user.make_stream();
    one.gpu->use_stream(a);
    const int number_a = one.gpu->current_stream();
    CHECK(number_a > 0);
    CHECK(other.gpu->current_stream() == 0);
    other.gpu->use_stream(b);
    CHECK(other.gpu->current_stream() > 0);
    CHECK(one.gpu->current_stream() == number_a);
    other.gpu->use_stream(nullptr);
    CHECK(other.gpu->current_stream() == 0);
    CHECK(one.gpu->current_stream() == number_a);
    one.gpu->use_stream(nullptr);
    one.user.destroy_stream(a);
    one.user.destroy_stream(b);
}

TEST_CASE("work of a second stream comes after what the first one held") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    std::byte* const y = on.gpu->allocate(bytes);
    on.gpu->synchronize();
    void* const a = on.user.make_stream();
    void* const b = on.user.make_stream();
    on.gpu->use_stream(a);
    const int number_a = on.gpu->current_stream();
    on.late_fill(x, 2.0f, count);
    SUBCASE("which its thread has left") {}
    SUBCASE("and which still has a thread on it") {
        std::thread([&] {
            on.gpu->use_stream(a);
            on.late_fill(x, 2.0f, count);
        }).join();
    }
    on.gpu->use_stream(b);
    const int number_b = on.gpu->current_stream();
    on.fill(y, 1.0f, count);
    on.gpu->order_after(number_b, number_a);
    on.add(y, x, count);
    CHECK(all_are(on.read(y, count), 3.0f));
    on.gpu->use_stream(nullptr);
    on.gpu->order_after(0, number_b);
    on.gpu->synchronize();
    on.gpu->deallocate(x, bytes, 1);
    on.gpu->deallocate(y, bytes, 1);
    on.user.destroy_stream(a);
    on.user.destroy_stream(b);
}

TEST_CASE("a stream may be destroyed once it was left: its work is waited for, it is not touched") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    on.gpu->synchronize();
    void* const stream = on.user.make_stream();
    on.gpu->use_stream(stream);
    const int number = on.gpu->current_stream();
    on.late_fill(x, 2.0f, count);
    on.gpu->use_stream(nullptr);
    on.user.destroy_stream(stream);
    on.gpu->order_after(0, number);
    CHECK(all_are(on.read(x, count), 2.0f));
    // Freed as of a stream that is gone: the block is the caller's stream's now.
    on.gpu->deallocate(x, bytes, std::uint64_t{1} << number);
    CHECK(on.gpu->allocate(bytes) == x);
    on.gpu->deallocate(x, bytes, 1);
}

TEST_CASE("a block that two streams used is given out again after both") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    on.gpu->synchronize();
    void* const a = on.user.make_stream();
    void* const b = on.user.make_stream();
    on.gpu->use_stream(a);
    std::uint64_t used_by = on.here();
    on.late_fill(x, 2.0f, count);  // must not land in what the block is next
    on.gpu->use_stream(b);
    used_by |= on.here();
    on.gpu->deallocate(x, bytes, used_by);
    std::byte* const again = on.gpu->allocate(bytes);
    CHECK(again == x);
    on.fill(again, 5.0f, count);
    on.gpu->synchronize();
    on.gpu->use_stream(a);
    on.gpu->synchronize();
    on.gpu->use_stream(b);
    CHECK(all_are(on.read(again, count), 5.0f));
    on.gpu->deallocate(again, bytes, on.here());
    on.gpu->use_stream(nullptr);
    on.user.destroy_stream(a);
    on.user.destroy_stream(b);
}

TEST_CASE("a thousand streams, one after another, share 63 numbers") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    std::byte* const sum = on.gpu->allocate(bytes);
    on.fill(sum, 0.0f, count);
    on.gpu->synchronize();
    for (int i = 0; i < 1000; ++i) {
        void* const stream = on.user.make_stream();
        on.gpu->use_stream(stream);
        const int number = on.gpu->current_stream();
        REQUIRE(number > 0);
        REQUIRE(number < 64);
        on.gpu->order_after(number, 0);
        on.fill(x, 1.0f, count);
        on.gpu->use_stream(nullptr);
        on.user.destroy_stream(stream);
        on.gpu->order_after(0, number);
        on.add(sum, x, count);
    }
    CHECK(all_are(on.read(sum, count), 1000.0f));
    on.gpu->deallocate(x, bytes, 1);
    on.gpu->deallocate(sum, bytes, 1);
}

TEST_CASE("a number that was given to another stream still stands for all that it stood for") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    on.gpu->synchronize();
    void* const first = on.user.make_stream();
    on.gpu->use_stream(first);
    const int number = on.gpu->current_stream();
    on.late_fill(x, 2.0f, count);
    on.gpu->use_stream(nullptr);
    std::vector<void*> others;
    bool given_again = false;
    for (int i = 0; i < 64; ++i) {
        others.push_back(on.user.make_stream());
        on.gpu->use_stream(others.back());
        given_again = given_again || on.gpu->current_stream() == number;
    }
    CHECK(given_again);
    on.gpu->use_stream(nullptr);
    on.gpu->order_after(0, number);
    CHECK(all_are(on.read(x, count), 2.0f));
    on.gpu->deallocate(x, bytes, 1);
    on.user.destroy_stream(first);
    for (void* const each : others) on.user.destroy_stream(each);
}

TEST_CASE("a 64th stream in use at once is refused, and the thread stays where it was") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::vector<void*> streams;
    for (int i = 0; i < 64; ++i) streams.push_back(on.user.make_stream());
    std::mutex mutex;
    std::condition_variable change;
    int inside = 0;
    bool done = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 63; ++i)
        threads.emplace_back([&, i] {
            on.gpu->use_stream(streams[static_cast<std::size_t>(i)]);
            std::unique_lock lock(mutex);
            ++inside;
            change.notify_all();
            change.wait(lock, [&] { return done; });
            on.gpu->use_stream(nullptr);
        });
    {
        std::unique_lock lock(mutex);
        change.wait(lock, [&] { return inside == 63; });
    }
    const std::string message = message_of<device_error>([&] { on.gpu->use_stream(streams[63]); });
    CHECK(contains(message, "63 streams are in use"));
    CHECK(on.gpu->current_stream() == 0);
    {
        const std::lock_guard lock(mutex);
        done = true;
        change.notify_all();
    }
    for (std::thread& each : threads) each.join();
    on.gpu->use_stream(streams[63]);
    CHECK(on.gpu->current_stream() > 0);
    on.gpu->use_stream(nullptr);
    for (void* const each : streams) on.user.destroy_stream(each);
}

TEST_CASE("each thread has a stream of its own, and ends without leaving it") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const x = on.gpu->allocate(bytes);
    on.gpu->synchronize();
    void* const stream = on.user.make_stream();
    int number = 0;
    std::thread([&] {
        CHECK(on.gpu->current_stream() == 0);
        on.gpu->use_stream(stream);
        number = on.gpu->current_stream();
        on.late_fill(x, 4.0f, count);
    }).join();
    CHECK(number > 0);
    CHECK(on.gpu->current_stream() == 0);
    on.gpu->order_after(0, number);
    CHECK(all_are(on.read(x, count), 4.0f));
    on.gpu->deallocate(x, bytes, 1);
    on.user.destroy_stream(stream);
}

TEST_CASE("threads allocate, run and free beside one another") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    constexpr int thread_count = 8;
    std::vector<int> wrong(thread_count, 0);
    std::vector<void*> streams;
    for (int i = 0; i < thread_count; ++i) streams.push_back(on.user.make_stream());
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i)
        threads.emplace_back([&, i] {
            on.gpu->use_stream(i % 2 ? streams[static_cast<std::size_t>(i)] : nullptr);
            for (int round = 0; round < 200; ++round) {
                const std::size_t elements = 64 + static_cast<std::size_t>(round % 7) * 1000;
                const float value = static_cast<float>(i * 1000 + round);
                std::byte* const memory = on.gpu->allocate(elements * sizeof(float));
                on.fill(memory, value, static_cast<long long>(elements));
                if (!all_are(on.read(memory, elements), value)) ++wrong[static_cast<std::size_t>(i)];
                on.gpu->deallocate(memory, elements * sizeof(float), on.here());
            }
            on.gpu->use_stream(nullptr);
        });
    for (std::thread& each : threads) each.join();
    for (const int each : wrong) CHECK(each == 0);
    for (void* const each : streams) on.user.destroy_stream(each);
}

TEST_CASE("a captured stream gets launches and its own memory only, and the graph runs") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const y = on.gpu->allocate(bytes);
    std::byte* const outside = on.gpu->allocate(bytes);
    constexpr std::size_t large_bytes = std::size_t{8} << 20;  // past the lists: goes back to the driver
    std::byte* const large = on.gpu->allocate(large_bytes);
    std::byte* const of_default = on.gpu->allocate(large_bytes);
    on.fill(y, 0.0f, count);
    on.gpu->synchronize();
    void* const stream = on.user.make_stream();
    on.gpu->use_stream(stream);
    std::byte* const listed = on.gpu->allocate(bytes);
    on.gpu->deallocate(listed, bytes, on.here());  // now in the stream's list, where a capture may not find it

    constexpr int global = 0;  // CU_STREAM_CAPTURE_MODE_GLOBAL
    REQUIRE(on.user.call("cuStreamBeginCapture_v2", stream, global) == 0);
    std::byte* const inside = on.gpu->allocate(bytes);
    CHECK(inside != listed);
    on.fill(inside, 2.0f, count);
    on.add(y, inside, count);
    on.gpu->deallocate(inside, bytes, on.here());
    on.gpu->deallocate(outside, bytes, on.here());  // not the graph's: these wait for the end of the capture
    on.gpu->deallocate(large, large_bytes, on.here());
    on.gpu->deallocate(of_default, large_bytes, 1);
    void* graph = nullptr;
    REQUIRE(on.user.call("cuStreamEndCapture", stream, &graph) == 0);
    REQUIRE(graph != nullptr);

    void* ready = nullptr;
    REQUIRE(on.user.call("cuGraphInstantiateWithFlags", &ready, graph, 0ull) == 0);
    for (int i = 0; i < 3; ++i) CHECK(on.user.call("cuGraphLaunch", ready, stream) == 0);
    CHECK(all_are(on.read(y, count), 6.0f));
    on.gpu->synchronize();
    std::byte* const first = on.gpu->allocate(bytes);
    std::byte* const second = on.gpu->allocate(bytes);
    CHECK(first == outside);  // given back after the capture, and so the one freed last
    CHECK(second == listed);
    on.gpu->deallocate(first, bytes, on.here());
    on.gpu->deallocate(second, bytes, on.here());
    on.gpu->deallocate(y, bytes, on.here());
    CHECK(on.user.call("cuGraphExecDestroy", ready) == 0);
    CHECK(on.user.call("cuGraphDestroy", graph) == 0);
    on.gpu->use_stream(nullptr);
    on.user.destroy_stream(stream);
}

TEST_CASE("waiting for another stream inside a capture fails with advice") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    void* const a = on.user.make_stream();
    void* const b = on.user.make_stream();
    on.gpu->use_stream(a);
    const int number_a = on.gpu->current_stream();
    on.gpu->use_stream(b);
    constexpr int thread_local_mode = 1;  // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
    REQUIRE(on.user.call("cuStreamBeginCapture_v2", b, thread_local_mode) == 0);
    const std::string message =
        message_of<device_error>([&] { on.gpu->order_after(on.gpu->current_stream(), number_a); });
    CHECK(contains(message, "CUDA_ERROR_STREAM_CAPTURE"));
    CHECK(contains(message, "before the capture begins"));
    void* graph = nullptr;
    on.user.call("cuStreamEndCapture", b, &graph);
    on.gpu->use_stream(nullptr);
    on.user.destroy_stream(a);
    on.user.destroy_stream(b);
}
