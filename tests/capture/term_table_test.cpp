#include <doctest/doctest.h>

#include <capture/term_table.hpp>

#include <chrono>
#include <vector>

using kiln::detail::term;
using kiln::detail::term_table;

namespace {

/// Keys alone: nobody looks at what is there.
const term* key(std::size_t number) { return reinterpret_cast<const term*>((number + 1) * 64); }

}  // namespace

TEST_CASE("term table: what was met in this round is found with its number, and nothing of the rounds before") {
    term_table table;
    for (const std::size_t count : {5, 3000, 2, 40, 0, 7}) {
        CAPTURE(count);
        table.clear();
        for (std::size_t i = 0; i < 3000; ++i) CHECK(!table.find(key(i)));
        for (std::size_t i = 0; i < count; ++i) table.insert(key(i * 7 % 3001), static_cast<int>(i));
        CHECK(table.size() == static_cast<int>(count));
        for (std::size_t i = 0; i < count; ++i) {
            const int* const found = table.find(key(i * 7 % 3001));
            REQUIRE(found);
            CHECK(*found == static_cast<int>(i));
        }
    }
}

TEST_CASE("term table: after a million terms a walk of a few takes what it did before") {
    term_table table;
    for (std::size_t i = 0; i < 1'000'000; ++i) table.insert(key(i), 0);
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < 20'000; ++round) {
        table.clear();
        table.insert(key(1), round);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    CHECK(*table.find(key(1)) == 19'999);
    // Milliseconds; emptying every slot each time, as it was once, takes minutes.
    CHECK(taken.count() < 5);
}
