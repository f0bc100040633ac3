// tests/jit_cache/processes: many programs, one folder.
#include "support.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

using namespace support;

namespace {

// Starts `count` helpers at once; what went wrong with them, or nothing.
std::string run_helpers(const fs::path& directory, int count, const char* keys, const char* rounds) {
    std::vector<finished> ended(static_cast<std::size_t>(count));
    std::vector<std::thread> threads;
    for (finished& one : ended) {
        threads.emplace_back([&] { one = run({JIT_CACHE_HELPER, directory.string(), keys, rounds}); });
    }
    for (std::thread& one : threads) one.join();
    std::string trouble;
    for (const finished& one : ended) {
        if (one.exit_code != 0 || one.output.find("warning") != std::string::npos) {
            trouble += std::to_string(one.exit_code) + ": " + one.output + one.errors;
        }
    }
    return trouble;
}

}  // namespace

TEST_CASE("case 12: the same key in a new process is a hit") {
    const temporary_folder folder;
    CHECK(run({JIT_CACHE_HELPER, folder.cache().string(), "5", "1"}).output == "made 5 disk 0\n");
    CHECK(run({JIT_CACHE_HELPER, folder.cache().string(), "5", "1"}).output == "made 0 disk 5\n");
}

TEST_CASE("case 14: 32 cold processes that want the same keys all get right answers, and leave a whole folder") {
    const temporary_folder folder;
    CHECK(run_helpers(folder.cache(), 32, "12", "2") == "");
    CHECK(temporaries_in(folder.cache()) == 0);
    const jit_cache::scan_result scanned = jit_cache::scan(folder.cache());
    CHECK(scanned.entries.size() == 12);
    CHECK(scanned.broken.empty());
    CHECK(run({JIT_CACHE_HELPER, folder.cache().string(), "12", "1"}).output == "made 0 disk 12\n");
}

TEST_CASE("case 15: processes get right answers while another one sweeps and clears the folder in a loop") {
    const temporary_folder folder;
    std::atomic<bool> ending{false};
    std::atomic<std::uint64_t> removed{0};
    std::thread sweeper([&] {
        while (!ending) {
            removed += jit_cache::sweep(folder.cache(), 1'000, 4).entries_removed;
            removed += support::clear(folder.cache());
        }
    });
    // On a machine with much else to do the sweeper may not have met an entry yet.
    std::string trouble;
    for (int tries = 0; tries == 0 || (removed == 0 && trouble.empty() && tries < 50); ++tries)
        trouble += run_helpers(folder.cache(), 8, "12", "6");
    ending = true;
    sweeper.join();
    CHECK(trouble == "");
    CHECK(removed > 0);
    CHECK(jit_cache::scan(folder.cache()).broken.empty());
}
