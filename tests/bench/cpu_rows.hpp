// tests/bench/cpu_rows: a program on the CPU against a hand-written loop on the same threads of a pool like kiln's.
#pragma once

#include "support.hpp"

#include <device/cpu/thread_pool.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace kiln::bench {

/// Between two results.
struct tolerance {
    double relative = 0;
    double absolute = 0;
};

class cpu_rows {
public:
    cpu_rows(report& out, int rounds) : out_(out), rounds_(rounds) {}

    /// `kiln` computes into y; `by_hand` its rows or elements [begin, end) of `count` into the memory it is given. They must
    /// come to the same, or, where a sum's order is another, nearly.
    template <class T, class Kiln, class ByHand>
    void add(const std::string& what, array<T>& y, Kiln kiln, std::int64_t count, std::int64_t grain, ByHand by_hand,
             tolerance apart = {}) {
        // The same memory as kiln's own: in large pages where there are any.
        array<T> other = zeros<T>(shape_of(y));
        T* const to = other.data();
        std::vector<contender> contenders(2);
        contenders[0].measure = [&] {
            return milliseconds([&] {
                threads_.parallel_for(count, grain,
                                      [&](std::int64_t begin, std::int64_t end) { by_hand(to, begin, end); });
            });
        };
        contenders[1].measure = [&] {
            return milliseconds([&] {
                kiln();
                y.wait();
            });
        };
        take_turns(contenders, rounds_);
        out_.add({.what = what + ", by hand", .value = summarize(contenders[0].values), .unit = "ms"});
        out_.add({.what = what,
                  .value = summarize(contenders[1].values),
                  .unit = "ms",
                  .compared = ratio(contenders[1], contenders[0]),
                  .compared_with = "x by hand",
                  // As fast: two loops that are the same differ by so much from run to run.
                  .must_be = limit{limit::side::at_most, 1.05, limit::subject::ratio}});
        if (near(y.to_host(), other.to_host(), apart)) return;
        out_.note("WRONG RESULT: " + what + ": its figures mean nothing");
        right_ = false;
    }

    [[nodiscard]] bool right() const noexcept { return right_; }

private:
    template <class T>
    static bool near(const std::vector<T>& left, const std::vector<T>& right, tolerance apart) {
        return std::equal(left.begin(), left.end(), right.begin(), right.end(), [=](T a, T b) {
            const double most = apart.absolute + apart.relative * std::fabs(static_cast<double>(b));
            return a == b || std::fabs(static_cast<double>(a - b)) <= most;
        });
    }

    template <class Work>
    static double milliseconds(Work work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

    report& out_;
    int rounds_;
    bool right_ = true;
    backend::thread_pool threads_{backend::usable_thread_count()};
};

}  // namespace kiln::bench
