#include <device/cpu/reuse_distance.hpp>
#include <device/cpu/streaming_store.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using kiln::backend::reuse_distance;

TEST_CASE("what launches touched since one wrote a place is counted, that one's own bytes included") {
    const auto seen = std::make_unique<reuse_distance>();
    int a = 0;
    CHECK_EQ(seen->write(&a, seen->begin(100)), reuse_distance::unknown);
    CHECK_EQ(seen->write(&a, seen->begin(30)), 100);
    CHECK_EQ(seen->write(&a, seen->begin(7)), 30);
    seen->begin(1000);
    CHECK_EQ(seen->write(&a, seen->begin(7)), 1007);
}

TEST_CASE("of places that nobody wrote, or that meet others in the table, nothing is known") {
    const auto seen = std::make_unique<reuse_distance>();
    std::vector<char> memory(64 * 4096);
    for (std::size_t i = 0; i < memory.size(); i += 64) {
        CAPTURE(i);
        REQUIRE_EQ(seen->write(&memory[i], seen->begin(1)), reuse_distance::unknown);
        REQUIRE_EQ(seen->write(&memory[i], seen->begin(1)), 1);
    }
    int known = 0;
    const std::int64_t all = seen->begin(0);
    for (std::size_t i = memory.size(); i > 0;) {  // the last first, which were not displaced
        i -= 64;
        const std::int64_t since = seen->write(&memory[i], all);
        if (since == reuse_distance::unknown) continue;
        ++known;
        // Line i wrote last as the launch of so many bytes before.
        REQUIRE_EQ(since, all - (2 * static_cast<std::int64_t>(i / 64) + 1));
    }
    CHECK(known > 0);
    CHECK(known < 4096);
}

TEST_CASE("caches reach as far as the threshold at least, whatever the threads") {
    for (const int threads : {1, 2, 3, 8, 64, 512}) {
        CAPTURE(threads);
        CHECK(kiln::backend::streaming_threshold(threads) >= std::int64_t{1} << 20);
        CHECK(kiln::backend::cached_reach(threads) >= kiln::backend::streaming_threshold(threads));
    }
}
