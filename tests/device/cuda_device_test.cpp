// device/cuda/cuda_device: one GPU, with kernels written by hand. Where there is none, only the refusals are tested.
#include <compile/nvrtc.hpp>
#include <device/cuda/cuda_device.hpp>

#include <kiln/error.hpp>

#include <device/gpu_bench.hpp>
#include <support/child.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace tests;

TEST_CASE("without a GPU, making a CUDA device says what was looked for") {
    if (gpu_count() > 0) {
        MESSAGE("skipped: there is a GPU");
        return;
    }
    const std::string message = message_of<device_error>([] { make_cuda_device(0); });
    CHECK(contains(message, "libcuda"));
    CHECK(contains(message, "KILN_DEVICE=cpu"));
    if (!KILN_HAS_CUDA) CHECK(contains(message, "CUDA is not in this build"));
    // The answer is kept, and stays the same.
    CHECK(message_of<device_error>([] { make_cuda_device(0); }) == message);
}

TEST_CASE("an ordinal past the last GPU: the error lists the GPUs that are there") {
    if (!gpu_is_there()) return;
    const std::string message = message_of<device_error>([] { make_cuda_device(99); });
    CHECK(contains(message, "cuda:99 was asked for"));
    CHECK(contains(message, ": cuda:0 "));
}

TEST_CASE("a CUDA device describes itself") {
    if (!gpu_is_there()) return;
    const std::unique_ptr<kiln::backend::device> gpu = make_cuda_device(0);
    const kiln::device_info info = gpu->describe();
    CHECK(!info.name.empty());
    CHECK(info.target.substr(0, 3) == "sm_");
    CHECK(info.is_cuda);
    CHECK(info.compiles);
    CHECK(info.unit_count > 0);
    CHECK(gpu->target().kind == kiln::plan::frame::cuda);
    REQUIRE(gpu->toolchain() != nullptr);
    CHECK(gpu->toolchain()->target() == info.target);
}

TEST_CASE("what goes to the GPU comes back, from every size class") {
    if (!gpu_is_there()) return;
    const std::unique_ptr<kiln::backend::device> gpu = make_cuda_device(0);
    for (const std::size_t size :
         {1u, 255u, 256u, 257u, 2048u, 2049u, 5000u, 99'999u, 1'048'576u, 1'048'577u, 9'000'001u}) {
        std::vector<unsigned char> sent(size);
        for (std::size_t i = 0; i < size; ++i) sent[i] = static_cast<unsigned char>(i * 7 + size);
        std::byte* const memory = gpu->allocate(size);
        CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
        gpu->copy_from_host(memory, sent.data(), size);
        std::vector<unsigned char> received(size);
        gpu->copy_to_host(received.data(), memory, size);
        CHECK(sent == received);
        gpu->deallocate(memory, size, 1);
    }
}

TEST_CASE("a kernel written by hand runs, and says its registers") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const y = on.gpu->allocate(bytes);
    std::byte* const x = on.gpu->allocate(bytes);
    on.fill(y, 1.5f, count);
    on.fill(x, 2.0f, count);
    on.add(y, x, count);
    CHECK(all_are(on.read(y, count), 3.5f));
    const launch_facts facts = on.gpu->facts_of(*on.add_kernel, 256);
    CHECK(facts.registers > 0);
    CHECK(facts.static_shared_bytes == 0);
    CHECK(facts.occupancy > 0.2);
    CHECK(facts.occupancy <= 1);
    on.gpu->deallocate(x, bytes, 1);
    on.gpu->deallocate(y, bytes, 1);
}

TEST_CASE("a kernel that starts while the one before it runs waits for it") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const y = on.gpu->allocate(bytes);
    std::byte* const x = on.gpu->allocate(bytes);
    for (const float value : {1.0f, 2.0f, 3.0f}) {
        on.fill(y, 0.5f, count);
        on.late_fill(x, value, count);
        on.add(y, x, count);
    }
    CHECK(all_are(on.read(y, count), 3.5f));
    on.gpu->deallocate(x, bytes, 1);
    on.gpu->deallocate(y, bytes, 1);
}

TEST_CASE("a binary that is no binary, is for another GPU, or lacks the kernel is not loaded") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    CHECK(on.load("no binary at all", "fill") == nullptr);
    CHECK(on.load("", "fill") == nullptr);
    CHECK(on.load(cubin_for(*on.gpu), "fill_twice") == nullptr);
    const std::string other = on.gpu->describe().target == "sm_80" ? "sm_90" : "sm_80";
    kiln::compile::nvrtc_toolchain compiler(other);
    CHECK(on.load(compiler.compile({"kernels", kernels}).bytes, "fill") == nullptr);
    CHECK(on.load(cubin_for(*on.gpu), "fill") != nullptr);
}

TEST_CASE("a grid past 2^31-1 blocks is refused by name") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    launch_arguments arguments;
    arguments.block_count = 2147483648;
    arguments.threads_per_block = 256;
    const std::string message = message_of<device_error>([&] { on.gpu->launch(*on.fill_kernel, arguments); });
    CHECK(contains(message, "launch fill: 2147483648 blocks"));
}

TEST_CASE("a freed block is the next of its size on its stream, and on no other") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const first = on.gpu->allocate(5000);
    on.gpu->deallocate(first, 5000, on.here());
    std::byte* const second = on.gpu->allocate(4999);  // of the same class
    CHECK(second == first);
    on.gpu->deallocate(second, 4999, on.here());

    void* const stream = on.user.make_stream();
    on.gpu->use_stream(stream);
    std::byte* const third = on.gpu->allocate(5000);
    CHECK(third != first);
    on.gpu->deallocate(third, 5000, on.here());
    on.gpu->use_stream(nullptr);
    std::byte* const fourth = on.gpu->allocate(5000);
    CHECK(fourth == first);
    on.gpu->deallocate(fourth, 5000, on.here());
    on.user.destroy_stream(stream);
}

TEST_CASE("more small blocks than the lists hold are allocated, freed and allocated again") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    for (const std::size_t size : {std::size_t{256}, std::size_t{1} << 20}) {
        const int blocks = size == 256 ? 5000 : 100;  // past 4096 blocks, past 64 MiB
        for (int round = 0; round < 2; ++round) {
            std::set<std::byte*> live;
            for (int i = 0; i < blocks; ++i) live.insert(on.gpu->allocate(size));
            CHECK(live.size() == static_cast<std::size_t>(blocks));
            for (std::byte* each : live) on.gpu->deallocate(each, size, 1);
        }
    }
    std::byte* const after = on.gpu->allocate(bytes);
    on.fill(after, 2.0f, count);
    CHECK(all_are(on.read(after, count), 2.0f));
    on.gpu->deallocate(after, bytes, 1);
}

TEST_CASE("small blocks go back to the driver where memory is short, those in use stay") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    const auto free_bytes = [&] {
        std::size_t free = 0;
        std::size_t total = 0;
        CHECK(on.user.call("cuMemGetInfo_v2", &free, &total) == 0);
        return free;
    };
    constexpr std::size_t size = 2048;
    constexpr std::size_t blocks =
        64'000;  // 128 MB, of which the driver keeps as much as the one block holds: 32 MB of an H200's
    std::vector<std::byte*> live;
    for (std::size_t i = 0; i < blocks; ++i) live.push_back(on.gpu->allocate(size));
    std::byte* const kept = live[blocks / 2];
    on.fill(kept, 4.0f, size / sizeof(float));
    on.gpu->synchronize();
    const std::size_t while_taken = free_bytes();
    for (std::byte* each : live)
        if (each != kept) on.gpu->deallocate(each, size, on.here());
    CHECK_THROWS_AS(on.gpu->allocate(std::size_t{1} << 50), kiln::out_of_memory);
    CHECK(free_bytes() >= while_taken + (std::size_t{80} << 20));
    CHECK(all_are(on.read(kept, size / sizeof(float)), 4.0f));
    on.gpu->deallocate(kept, size, on.here());
}

TEST_CASE("another context that is current stays current, and kiln works beside it") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    void* const ours = on.user.current_context();
    CHECK(ours != nullptr);  // a thread without one keeps kiln's
    void* foreign = nullptr;
    REQUIRE(on.user.call("cuCtxCreate_v2", &foreign, 0u, 0) == 0);
    CHECK(on.user.current_context() == foreign);

    std::byte* const x = on.gpu->allocate(bytes);
    on.fill(x, 3.0f, count);
    CHECK(all_are(on.read(x, count), 3.0f));
    on.gpu->deallocate(x, bytes, 1);
    CHECK(on.user.current_context() == foreign);

    unsigned long long theirs = 0;
    REQUIRE(on.user.call("cuMemAlloc_v2", &theirs, std::size_t{1024}) == 0);
    const std::string message =
        message_of<device_error>([&] { static_cast<void>(gpu_memory_at(reinterpret_cast<const void*>(theirs))); });
    CHECK(contains(message, "another CUDA context"));
    CHECK(on.user.call("cuCtxDestroy_v2", foreign) == 0);
    on.gpu->synchronize();
}

TEST_CASE("the driver is asked where the user's memory is") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    int local = 0;
    const std::vector<int> heap(10);
    CHECK(gpu_memory_at(&local).gpu == -1);
    CHECK(gpu_memory_at(heap.data()).gpu == -1);

    std::byte* const pooled = on.gpu->allocate(1000);
    CHECK(gpu_memory_at(pooled).gpu == 0);
    CHECK(gpu_memory_at(pooled + 500).gpu == 0);
    on.gpu->deallocate(pooled, 1000, 1);

    unsigned long long plain = 0;
    REQUIRE(on.user.call("cuMemAlloc_v2", &plain, std::size_t{1024}) == 0);
    CHECK(gpu_memory_at(reinterpret_cast<const void*>(plain)).gpu == 0);
    CHECK(on.user.call("cuMemFree_v2", plain) == 0);

    unsigned long long managed = 0;
    REQUIRE(on.user.call("cuMemAllocManaged", &managed, std::size_t{1024}, 1u) == 0);
    CHECK(gpu_memory_at(reinterpret_cast<const void*>(managed)).is_managed);
    CHECK(on.user.call("cuMemFree_v2", managed) == 0);

    void* pinned = nullptr;
    REQUIRE(on.user.call("cuMemHostAlloc", &pinned, std::size_t{1024}, 0u) == 0);
    CHECK(gpu_memory_at(pinned).gpu == -1);
    CHECK(on.user.call("cuMemFreeHost", pinned) == 0);
}

TEST_CASE("a copy between two GPUs comes after what fills the source, and before what is written there next") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    // Another device object on the same GPU where there is no second one.
    const std::unique_ptr<kiln::backend::device> other = make_cuda_device(gpu_count() > 1 ? 1 : 0);
    std::byte* const x = on.gpu->allocate(bytes);
    std::byte* const y = other->allocate(bytes);
    on.late_fill(x, 2.0f, count);
    CHECK(other->copy_from_peer(y, *on.gpu, x, bytes));
    on.fill(x, 3.0f, count);
    std::vector<float> got(count);
    other->copy_to_host(got.data(), y, bytes);
    CHECK(all_are(got, 2.0f));
    CHECK(on.gpu->copy_from_peer(x, *other, y, bytes));
    CHECK(all_are(on.read(x, count), 2.0f));
    on.gpu->deallocate(x, bytes, 1);
    other->deallocate(y, bytes, 1);
}

TEST_CASE("a copy from pinned memory has copied when it returns") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    constexpr std::size_t size = std::size_t{64} << 20;
    void* pinned = nullptr;
    REQUIRE(on.user.call("cuMemHostAlloc", &pinned, size, 0u) == 0);
    auto* const floats = static_cast<float*>(pinned);
    for (std::size_t i = 0; i < size / sizeof(float); ++i) floats[i] = 1.0f;
    std::byte* const x = on.gpu->allocate(size);
    on.gpu->copy_from_host(x, pinned, size);
    for (std::size_t i = 0; i < size / sizeof(float); ++i) floats[i] = 2.0f;
    CHECK(all_are(on.read(x, size / sizeof(float)), 1.0f));
    on.gpu->deallocate(x, size, 1);
    CHECK(on.user.call("cuMemFreeHost", pinned) == 0);
}

TEST_CASE("out of memory: bytes asked for, free and live are named, and the device goes on") {
    if (!gpu_is_there()) return;
    const gpu_bench on;
    std::byte* const live = on.gpu->allocate(1 << 20);
    const std::string message = message_of<kiln::out_of_memory>([&] { on.gpu->allocate(std::size_t{1} << 50); });
    CHECK(contains(message, "1125899906842624 bytes asked for"));
    CHECK(contains(message, " free, 1048576 in live arrays"));
    on.gpu->deallocate(live, 1 << 20, 1);
    std::byte* const x = on.gpu->allocate(bytes);
    on.fill(x, 6.0f, count);
    CHECK(all_are(on.read(x, count), 6.0f));
    on.gpu->deallocate(x, bytes, 1);
}

TEST_CASE("child: a kernel stores out of bounds" * doctest::skip()) {
    const gpu_bench on;
    const std::unique_ptr<loaded_kernel> bad = on.load(cubin_for(*on.gpu), "bad_store");
    std::byte* const x = on.gpu->allocate(bytes);
    on.fill(x, 1.0f, count);
    on.gpu->synchronize();
    on.add(x, x, count);
    std::byte* nowhere = reinterpret_cast<std::byte*>(16);
    on.launch(*bad, {&nowhere}, 1);
    const std::string message = message_of<device_error>([&] { on.gpu->synchronize(); });
    CHECK(contains(message, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    CHECK(contains(message, "kernels launched since the last wait: add, bad_store"));
    // The context is lost; what is left must still come down without a crash.
    on.gpu->deallocate(x, bytes, 1);
    CHECK_THROWS_AS(on.gpu->allocate(std::size_t{8} << 20), device_error);
}

TEST_CASE("a kernel's error shows at the next wait, with the kernels launched since the last one") {
    if (!gpu_is_there()) return;
    const tests::child_result child =
        tests::run_child("child: a kernel stores out of bounds", {{"KILN_DEVICE", "cpu"}});
    INFO(child.output);
    CHECK(child.exit_status == 0);
}
