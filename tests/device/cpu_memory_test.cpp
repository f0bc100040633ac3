// device/cpu/cpu_memory: alignment, reuse, bounds, and sizes that no machine has.
#include <device/cpu/cpu_memory.hpp>

#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using kiln::backend::cpu_memory;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("memory of every size is aligned to 256 bytes and can be written to its end") {
    cpu_memory memory(64 * mebibyte);
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{255}, std::size_t{256}, std::size_t{257},
                                    std::size_t{5000}, mebibyte - 1, mebibyte, mebibyte + 1, 5 * mebibyte + 3}) {
        std::byte* const block = memory.allocate(bytes);
        CHECK_EQ(reinterpret_cast<std::uintptr_t>(block) % cpu_memory::alignment, 0);
        std::memset(block, 0x5a, bytes);
        memory.deallocate(block, bytes);
    }
}

TEST_CASE("blocks that have pages of their own begin at different places of them") {
    cpu_memory memory(64 * mebibyte);
    for (const std::size_t bytes : {mebibyte, 4 * mebibyte}) {
        std::vector<std::byte*> blocks;
        for (int i = 0; i < 8; ++i) blocks.push_back(memory.allocate(bytes));
        std::vector<std::uintptr_t> places;
        places.reserve(blocks.size());
        for (const std::byte* const each : blocks) places.push_back(reinterpret_cast<std::uintptr_t>(each) % 4096);
        std::sort(places.begin(), places.end());
        CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
        for (std::byte* const each : blocks) {
            std::memset(each, 0x5a, bytes);
            memory.deallocate(each, bytes);
        }
        memory.release_cache();
    }
}

TEST_CASE("a freed block serves the next request of its size, the latest first") {
    cpu_memory memory(64 * mebibyte);
    std::byte* const first = memory.allocate(5 * mebibyte);
    std::byte* const second = memory.allocate(5 * mebibyte);
    CHECK(memory.now().live >= 10 * mebibyte);
    CHECK_EQ(memory.now().cached, 0);
    memory.deallocate(first, 5 * mebibyte);
    memory.deallocate(second, 5 * mebibyte);
    CHECK_EQ(memory.now().live, 0);
    CHECK(memory.now().cached >= 10 * mebibyte);
    CHECK_EQ(memory.allocate(5 * mebibyte), second);
    CHECK_EQ(memory.allocate(5 * mebibyte - 100), first);
    CHECK_EQ(memory.now().cached, 0);
    memory.deallocate(first, 5 * mebibyte - 100);
    memory.deallocate(second, 5 * mebibyte);
}

TEST_CASE("the oldest blocks go first when too much waits for reuse") {
    cpu_memory memory(10 * mebibyte);
    std::byte* const old = memory.allocate(4 * mebibyte);
    std::byte* const middle = memory.allocate(2 * mebibyte);
    std::byte* const late = memory.allocate(6 * mebibyte);
    memory.deallocate(old, 4 * mebibyte);
    memory.deallocate(middle, 2 * mebibyte);
    memory.deallocate(late, 6 * mebibyte);
    CHECK_EQ(memory.now().cached, 8 * mebibyte);
    CHECK_EQ(memory.allocate(2 * mebibyte), middle);
    CHECK_EQ(memory.allocate(6 * mebibyte), late);
    CHECK_EQ(memory.now().cached, 0);
    memory.deallocate(middle, 2 * mebibyte);
    memory.deallocate(late, 6 * mebibyte);
}

TEST_CASE("a block larger than all that may wait does not push the others out") {
    cpu_memory memory(4 * mebibyte);
    std::byte* const small = memory.allocate(mebibyte);
    std::byte* const large = memory.allocate(8 * mebibyte);
    memory.deallocate(small, mebibyte);
    memory.deallocate(large, 8 * mebibyte);
    CHECK_EQ(memory.now().cached, mebibyte);
    memory.release_cache();
    CHECK_EQ(memory.now().cached, 0);
}

TEST_CASE("a size that no machine has throws with the bytes asked for, available and live") {
    cpu_memory memory(64 * mebibyte);
    std::byte* const held = memory.allocate(3 * mebibyte);
    for (const std::size_t bytes : {std::size_t{1} << 45, std::size_t{1} << 60, ~std::size_t{0}}) {
        try {
            memory.allocate(bytes);
            FAIL("allocated");
        } catch (const kiln::out_of_memory& trouble) {
            const std::string message = trouble.what();
            CAPTURE(message);
            CHECK(message.find(std::to_string(bytes) + " bytes asked for") != std::string::npos);
            CHECK(message.find("available") != std::string::npos);
            CHECK(message.find(std::to_string(3 * mebibyte) + " in live arrays") != std::string::npos);
        }
    }
    memory.deallocate(held, 3 * mebibyte);
}

TEST_CASE("what waits for reuse is given up before memory runs out") {
    cpu_memory memory(64 * mebibyte);
    memory.deallocate(memory.allocate(32 * mebibyte), 32 * mebibyte);
    CHECK_THROWS_AS(memory.allocate(std::size_t{1} << 50), kiln::out_of_memory);
    CHECK_EQ(memory.now().cached, 0);
}

TEST_CASE("threads allocate and free beside each other") {
    cpu_memory memory(2 * mebibyte);
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) {
        threads.emplace_back([&memory, number] {
            std::vector<std::pair<std::byte*, std::size_t>> held;
            for (std::size_t i = 0; i < 2000; ++i) {
                const std::size_t bytes = 1 + (i * 7919 + static_cast<std::size_t>(number)) % 30000;
                std::byte* const block = memory.allocate(bytes);
                std::memset(block, number, bytes);
                held.emplace_back(block, bytes);
                if (held.size() < 16) continue;
                const auto [oldest, size] = held[i % 16];
                CHECK_EQ(oldest[size - 1], static_cast<std::byte>(number));
                memory.deallocate(oldest, size);
                held[i % 16] = held.back();
                held.pop_back();
            }
            for (const auto& [block, size] : held) memory.deallocate(block, size);
        });
    }
    for (std::thread& each : threads) each.join();
    CHECK_EQ(memory.now().live, 0);
}
