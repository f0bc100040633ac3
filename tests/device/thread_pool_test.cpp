// device/cpu/thread_pool: every index once, whoever calls from wherever.
#include <device/cpu/thread_pool.hpp>

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace {

using kiln::backend::thread_pool;
using range = std::pair<std::int64_t, std::int64_t>;

/// The ranges that a call was split into, in order.
std::vector<range> ranges_of(thread_pool& pool, std::int64_t count, std::int64_t grain) {
    std::mutex lock;
    std::vector<range> ranges;
    pool.parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard hold(lock);
        ranges.emplace_back(begin, end);
    });
    std::sort(ranges.begin(), ranges.end());
    return ranges;
}

void check_covers(const std::vector<range>& ranges, std::int64_t count) {
    std::int64_t next = 0;
    for (const auto& [begin, end] : ranges) {
        CHECK_EQ(begin, next);
        CHECK(begin < end);
        CHECK_EQ(begin % 64, 0);
        next = end;
    }
    CHECK_EQ(next, count);
}

}  // namespace

TEST_CASE("ranges cover the count once, at multiples of 64, one per thread at most") {
    for (const int threads : {1, 2, 3, 7, 16}) {
        thread_pool pool(threads);
        for (const std::int64_t count : {1, 63, 64, 65, 1000, 4096, 100003}) {
            const std::vector<range> ranges = ranges_of(pool, count, 1);
            CHECK(static_cast<int>(ranges.size()) <= threads);
            check_covers(ranges, count);
        }
    }
}

TEST_CASE("a thread that is woken beside who wakes it may use all processors again when it begins") {
    const auto usable = [] {
        cpu_set_t set;
        return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    };
    const int all = usable();
    thread_pool pool(3);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<int> begun{0};
    // Workers sleep by then; and the caller has work for so long that they are there before it is done.
    for (int rounds = 0; rounds < 20 || (begun == 0 && rounds < 1000); ++rounds) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::atomic<int> fewer{0};
        pool.parallel_for(3 * 64, 64, [&](std::int64_t, std::int64_t) {
            if (std::this_thread::get_id() != caller) {
                ++begun;
                fewer += usable() != all;
            }
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
            while (std::chrono::steady_clock::now() < end) {
            }
        });
        CHECK_EQ(fewer, 0);
    }
    CHECK(begun > 0);
}

TEST_CASE("a range is a multiple of what the caller says") {
    thread_pool pool(3);
    std::mutex lock;
    std::vector<range> ranges;
    pool.parallel_for(
        7, 1,
        [&](std::int64_t begin, std::int64_t end) {
            const std::lock_guard hold(lock);
            ranges.emplace_back(begin, end);
        },
        1);
    std::sort(ranges.begin(), ranges.end());
    CHECK_EQ(ranges, std::vector<range>{{0, 3}, {3, 6}, {6, 7}});
}

TEST_CASE("the same call is split in the same way every time") {
    thread_pool pool(5);
    const std::vector<range> first = ranges_of(pool, 123456, 1000);
    for (int i = 0; i < 20; ++i) CHECK_EQ(ranges_of(pool, 123456, 1000), first);
}

TEST_CASE("no work is no call, and little work stays on the caller's thread") {
    thread_pool pool(4);
    CHECK(ranges_of(pool, 0, 1).empty());
    CHECK(ranges_of(pool, -5, 1).empty());
    std::thread::id ran_on;
    pool.parallel_for(1999, 1000, [&](std::int64_t, std::int64_t) { ran_on = std::this_thread::get_id(); });
    CHECK_EQ(ran_on, std::this_thread::get_id());
}

TEST_CASE("many calls in a row lose no element") {
    thread_pool pool(3);
    constexpr std::int64_t count = 640;
    for (int i = 0; i < 2000; ++i) {
        std::atomic<std::int64_t> sum{0};
        pool.parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t each = begin; each < end; ++each) sum += each;
        });
        REQUIRE_EQ(sum.load(), count * (count - 1) / 2);
    }
}

TEST_CASE("pieces cover the count once, at multiples, and are several a thread where they are worth it") {
    for (const int threads : {1, 2, 3, 7}) {
        thread_pool pool(threads);
        for (const std::int64_t count : {1, 64, 65, 1000, 4096, 100003}) {
            for (const std::int64_t grain : {1, 1000}) {
                std::mutex lock;
                std::vector<range> ranges;
                pool.parallel_for_pieces(count, grain, [&](std::int64_t begin, std::int64_t end) {
                    const std::lock_guard hold(lock);
                    ranges.emplace_back(begin, end);
                });
                std::sort(ranges.begin(), ranges.end());
                check_covers(ranges, count);
                if (threads > 1 && count / threads > 64 * grain) CHECK(static_cast<int>(ranges.size()) > threads);
                if (count < 2 * grain) CHECK_EQ(ranges.size(), 1);
            }
        }
    }
}

TEST_CASE("pieces that a thread has not begun are taken by others") {
    constexpr std::int64_t count = 64 * 64;
    thread_pool pool(2);
    for (int i = 0; i < 50; ++i) {
        std::atomic<std::int64_t> left{count};
        std::atomic<bool> in_time{true};
        pool.parallel_for_pieces(count, 1, [&](std::int64_t begin, std::int64_t end) {
            // Whoever has the first piece is stopped until all others are done.
            const std::int64_t own = end - begin;
            const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (begin == 0 && left.load() > own) {
                if (std::chrono::steady_clock::now() > until) {
                    in_time = false;
                    break;
                }
                std::this_thread::yield();
            }
            left -= own;
        });
        CHECK_EQ(left.load(), 0);
        REQUIRE(in_time);
    }
}

TEST_CASE("what was begun goes on while its caller does something else, and is done once it is finished") {
    for (const int threads : {1, 2, 5}) {
        thread_pool pool(threads);
        for (const std::int64_t count : {0, 1, 64, 4096, 100'003}) {
            std::vector<int> touched(static_cast<std::size_t>(count), 0);
            const auto touch = [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t each = begin; each < end; ++each) ++touched[static_cast<std::size_t>(each)];
            };
            std::vector<int> beside(1000, 0);
            const auto touch_beside = [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t each = begin; each < end; ++each) ++beside[static_cast<std::size_t>(each)];
            };
            {
                thread_pool::begun begun(pool, count, 64, touch);
                pool.parallel_for(1000, 1, touch_beside);
                if (count % 2 == 0) begun.finish();  // else its end does
            }
            CHECK_EQ(std::count(touched.begin(), touched.end(), 1), count);
            CHECK_EQ(std::count(beside.begin(), beside.end(), 1), 1000);
            CHECK_EQ(ranges_of(pool, 100'003, 1).back().second, 100'003);
        }
        const auto fails = [](std::int64_t, std::int64_t) { throw std::runtime_error("a piece"); };
        thread_pool::begun begun(pool, 4096, 64, fails);
        CHECK_THROWS_AS(begun.finish(), std::runtime_error);
        begun.finish();
    }
}

TEST_CASE("callers at the same time each get their own work done") {
    thread_pool pool(4);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&] {
            for (int i = 0; i < 300; ++i) {
                std::vector<int> touched(1000, 0);
                pool.parallel_for(1000, 1, [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t each = begin; each < end; ++each) ++touched[static_cast<std::size_t>(each)];
                });
                if (std::count(touched.begin(), touched.end(), 1) != 1000) ++wrong;
            }
        });
    }
    for (std::thread& each : callers) each.join();
    CHECK_EQ(wrong.load(), 0);
}

TEST_CASE("a call from within a range runs on that range's thread") {
    thread_pool pool(4);
    std::atomic<std::int64_t> elements{0};
    std::atomic<int> elsewhere{0};
    pool.parallel_for(4096, 1, [&](std::int64_t, std::int64_t) {
        const std::thread::id outer = std::this_thread::get_id();
        pool.parallel_for(1000, 1, [&](std::int64_t begin, std::int64_t end) {
            elements += end - begin;
            if (std::this_thread::get_id() != outer) ++elsewhere;
        });
    });
    CHECK_EQ(elements.load(), 4 * 1000);
    CHECK_EQ(elsewhere.load(), 0);
}

TEST_CASE("what a range throws reaches the caller, after all ranges, and the pool goes on") {
    thread_pool pool(4);
    for (int i = 0; i < 50; ++i) {
        std::atomic<int> ranges{0};
        CHECK_THROWS_AS(pool.parallel_for(4096, 1,
                                          [&](std::int64_t begin, std::int64_t) {
                                              ++ranges;
                                              if (begin > 0) throw std::runtime_error("a range");
                                          }),
                        std::runtime_error);
        CHECK_EQ(ranges.load(), 4);
    }
    check_covers(ranges_of(pool, 4096, 1), 4096);
}

TEST_CASE("a forked child has no workers and computes all the same") {
    thread_pool pool(4);
    check_covers(ranges_of(pool, 4096, 1), 4096);  // the parent's workers are running
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::alarm(20);  // a child that waits for its parent's threads would wait for ever
        std::int64_t sum = 0;
        for (int i = 0; i < 100; ++i)
            pool.parallel_for(4096, 1, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
        ::_exit(sum == 100 * 4096 ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
    check_covers(ranges_of(pool, 4096, 1), 4096);
}

TEST_CASE("a pool that a forked child destroys does not wait for the parent's threads") {
    auto* const pool = new thread_pool(4);
    check_covers(ranges_of(*pool, 4096, 1), 4096);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::alarm(20);
        delete pool;
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
    delete pool;
}
