// tests/jit_cache/sampled_sweep: folders too large to be seen whole in the time that a publish has stay within their bounds
// all the same, and lose what was used longest ago. No time at all is given here, so every sweep sees as little as it may.
#include "support.hpp"

#include "directory.hpp"
#include "entry.hpp"
#include "sweep_schedule.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

using jit_cache::amount;
using namespace support;

namespace {

constexpr std::int64_t hour_s = 3600;

using names_iterator = std::vector<std::string>::const_iterator;

/// A store's folder filled with entries of any size and age: good headers, and nothing behind them that takes room.
class crowded_folder {
public:
    crowded_folder(amount allowed, unsigned seed) : random_(seed), allowed_(allowed) {
        opened_ = jit_cache::open_root(folder_.cache(), jit_cache::access::write);
        REQUIRE(opened_.folder);
    }

    /// As a process that publishes: the schedule says when to sweep.
    void publish(jit_cache::sweep_schedule& process, std::uint64_t bytes) {
        add(bytes, ::time(nullptr));
        if (!process.is_due(bytes)) return;
        process.swept(jit_cache::sweep_root(opened_.folder, process.order(random_())));
    }

    /// Returns the entry's name.
    std::string add(std::uint64_t bytes, std::int64_t last_use_s) {
        std::string name = jit_cache::to_hex({.high = random_wide_(random_), .low = random_wide_(random_)});
        const auto shard = jit_cache::open_shard(opened_.folder, name.substr(0, 2), jit_cache::access::write);
        const jit_cache::file_descriptor file(
            ::openat(shard.folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        REQUIRE(::write(file.get(), header_.data(), header_.size()) == static_cast<::ssize_t>(header_.size()));
        REQUIRE(::ftruncate(file.get(), static_cast<::off_t>(std::max<std::uint64_t>(bytes, header_.size()))) == 0);
        const ::timespec times[2] = {{.tv_sec = last_use_s, .tv_nsec = 0}, {.tv_sec = last_use_s, .tv_nsec = 0}};
        REQUIRE(::futimens(file.get(), times) == 0);
        return name;
    }

    [[nodiscard]] jit_cache::sweep_schedule process() const { return {allowed_, std::chrono::microseconds(0)}; }

    [[nodiscard]] amount present() const {
        constexpr std::uint64_t any = ~std::uint64_t{0};
        const jit_cache::sweep_result seen = jit_cache::sweep(folder_.cache(), any, any, jit_cache::doing::nothing);
        return {.bytes = seen.bytes_left, .entries = seen.entries_left};
    }

    [[nodiscard]] bool holds(const std::string& name) const {
        return fs::exists(root_of(folder_.cache()) / name.substr(0, 2) / name);
    }

    [[nodiscard]] std::ptrdiff_t survivors(names_iterator begin, names_iterator end) const {
        return std::count_if(begin, end, [this](const std::string& name) { return holds(name); });
    }

    /// From a kilobyte to a megabyte, as many of each order of size.
    std::uint64_t any_size() { return static_cast<std::uint64_t>(std::exp2(10 + 10 * unit_(random_))); }
    std::int64_t time_within(std::int64_t seconds) {
        return ::time(nullptr) - static_cast<std::int64_t>(unit_(random_) * static_cast<double>(seconds - 60));
    }

private:
    temporary_folder folder_;
    std::mt19937 random_;
    std::uniform_int_distribution<std::uint64_t> random_wide_;
    std::uniform_real_distribution<double> unit_{0.0, 1.0};
    const amount allowed_;
    const std::string header_ = jit_cache::pack_entry(key_of(1), artifact_of(1)).substr(0, jit_cache::header_bytes);
    jit_cache::opened_folder opened_;
};

constexpr std::uint64_t any_number = std::uint64_t{1} << 60;

double share(std::uint64_t of, std::uint64_t bound) { return static_cast<double>(of) / static_cast<double>(bound); }

}  // namespace

// A sample of 500 entries is wrong by 10 in 100 once in 40 times. Then the next one says so.
TEST_CASE("who publishes without end keeps a folder within its bound of entries, however full it was before") {
    constexpr std::uint64_t bound = 1500;
    for (const std::uint64_t before : {std::uint64_t{0}, 2 * bound}) {
        CAPTURE(before);
        crowded_folder folder({.bytes = any_number, .entries = bound}, static_cast<unsigned>(before) + 1);
        for (std::uint64_t i = 0; i < before; ++i) folder.add(2000, folder.time_within(100 * hour_s));
        jit_cache::sweep_schedule process = folder.process();
        for (std::uint64_t i = 0; i < 2 * bound; ++i) {
            folder.publish(process, 2000);
            // What is too much goes twice as fast as it came.
            if (i > bound && i % 100 == 0) CHECK(share(folder.present().entries, bound) < 1.2);
        }
        CHECK(share(folder.present().entries, bound) > 0.8);
    }
}

TEST_CASE("a small folder is seen whole, and its bound kept to the entry") {
    constexpr std::uint64_t bound = 150;
    crowded_folder folder({.bytes = any_number, .entries = bound}, 1);
    jit_cache::sweep_schedule process = folder.process();
    for (std::uint64_t i = 0; i < 3 * bound; ++i) {
        folder.publish(process, 2000);
        CHECK(folder.present().entries <= bound);
    }
}

TEST_CASE("sizes from a kilobyte to a megabyte: the bound of bytes is kept") {
    constexpr std::uint64_t bound = std::uint64_t{200} << 20;  // some 1,400 entries
    for (unsigned seed = 1; seed <= 2; ++seed) {
        CAPTURE(seed);
        crowded_folder folder({.bytes = bound, .entries = any_number}, seed);
        jit_cache::sweep_schedule process = folder.process();
        for (int i = 0; i < 3000; ++i) {
            folder.publish(process, folder.any_size());
            if (i % 100 == 0) CHECK(share(folder.present().bytes, bound) < 1.2);
        }
        CHECK(share(folder.present().bytes, bound) > 0.8);
    }
}

TEST_CASE("eight processes that publish into one folder keep its bound") {
    constexpr std::uint64_t bound = 1500;
    crowded_folder folder({.bytes = any_number, .entries = bound}, 5);
    std::vector<jit_cache::sweep_schedule> processes(8, folder.process());
    for (std::size_t i = 0; i < 3 * bound; ++i) {
        folder.publish(processes[i % processes.size()], 2000);
        // All eight publish a 64th of it before one of them looks again.
        if (i % 100 == 0) CHECK(share(folder.present().entries, bound) < 1.2 + 8 / 64.0);
    }
}

TEST_CASE("what was used within the last hour survives where it is at most half of the bound; the oldest go first") {
    constexpr std::uint64_t bound = 2000;
    crowded_folder folder({.bytes = any_number, .entries = bound}, 11);
    std::vector<std::string> young;
    std::vector<std::string> old;  // oldest first
    for (std::uint64_t i = 0; i < bound; ++i) {
        if (i % 10 < 3) young.push_back(folder.add(2000, folder.time_within(hour_s)));
        else old.push_back(folder.add(2000, ::time(nullptr) - 100 * hour_s + static_cast<std::int64_t>(i)));
    }
    jit_cache::sweep_schedule process = folder.process();
    for (std::uint64_t i = 0; i < bound / 5; ++i) folder.publish(process, 2000);

    CHECK(folder.survivors(young.begin(), young.end()) == std::ssize(young));
    const std::ptrdiff_t lost = std::ssize(old) - folder.survivors(old.begin(), old.end());
    REQUIRE(lost > std::ssize(old) / 10);
    REQUIRE(lost < std::ssize(old) / 2);
    // Each shard loses its own oldest; which shards were looked at is chance.
    const auto twice_as_many = old.begin() + 2 * lost;
    CHECK(folder.survivors(twice_as_many, old.end()) > (old.end() - twice_as_many) * 95 / 100);
}

TEST_CASE("an entry of more than half of the bound costs the others nothing while all of them are within it") {
    constexpr std::uint64_t bound = std::uint64_t{100} << 20;
    for (const std::int64_t age_s : {std::int64_t{0}, 200 * hour_s}) {
        CAPTURE(age_s);
        crowded_folder folder({.bytes = bound, .entries = any_number}, 3);
        for (int i = 0; i < 1500; ++i) folder.add(10'000, folder.time_within(100 * hour_s));
        const std::string giant = folder.add(60'000'000, ::time(nullptr) - age_s);
        for (int i = 0; i < 20; ++i) {
            jit_cache::sweep_schedule process = folder.process();  // of which the first publish is due a look
            folder.publish(process, 10'000);
        }
        CHECK(folder.present().entries == 1521);
        CHECK(folder.holds(giant));
    }
}
