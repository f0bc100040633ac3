// tests/bench/gpu_rows: the rows of the element-wise benchmarks on a GPU. Each is one program of kiln's beside a copy on
// the device that moves as many bytes, and beside kernels written by hand where a copy says too little; all take turns.
#pragma once

#include "gpu.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln::bench {

/// A kernel written by hand, in the same memory or other memory of the same size.
struct by_hand {
    std::string what;
    std::function<void(int)> once;  // the i-th call
    int registers = 0;
};

struct gpu_program {
    enum class measure : std::uint8_t { copy, hand_written };

    std::string what;
    /// That must be read and written, in whole sectors of 32 bytes.
    double bytes = 0;
    /// Times the copy of that many bytes, or times the fastest kernel written by hand.
    double at_most = 0;
    measure against = measure::copy;
    std::function<void(int)> once;  // the i-th call
    kiln::explanation plan;         // of such a call
    /// How kiln compiles it under the options in force, for the registers; empty: as it does by default.
    std::function<compile::binary(const emit::source&)> compile = {};
    std::vector<by_hand> hand_written = {};
    /// Calls between two events: more where one takes a few microseconds.
    int group = 4;
    /// Only in the file, unless the limit is missed.
    bool quiet = false;
};

class gpu_rows {
public:
    /// `most_bytes`: of any program to come; half of it is allocated twice.
    gpu_rows(report& out, const gpu_stream& stream, double most_bytes, int rounds);

    [[nodiscard]] const gpu_stream& stream() const noexcept { return stream_; }

    /// Adds the program's figures. Returns the quotient that its limit is for.
    summary add(const gpu_program& measured);

    /// The device's elements against expected(i), at the beginning, in the middle and at the end. A difference is noted
    /// under the table and fails the program.
    template <class T, class Expected, class Same = std::equal_to<>>
    void check(const std::string& what, array<T>& y, Expected expected, Same same = {}) {
        const std::int64_t size = y.size();
        const std::int64_t length = std::min<std::int64_t>(size, 20'000);
        const auto found = std::make_unique<T[]>(static_cast<std::size_t>(length));
        for (const std::int64_t begin : {std::int64_t{0}, (size - length) / 2, size - length}) {
            stream_.read(found.get(), std::as_const(y).data() + begin, static_cast<std::size_t>(length) * sizeof(T));
            for (std::int64_t i = 0; i < length; ++i)
                if (!same(found[static_cast<std::size_t>(i)], expected(begin + i))) return wrong(what, begin + i);
        }
    }

    /// What must be 0: kernels compiled for a call that differs from an earlier one in its sizes or scalars alone.
    void add_recompilations(std::int64_t count);

    /// The figures of all rows together. Whether every check was passed.
    bool finish();

private:
    void wrong(const std::string& what, std::int64_t element);
    std::function<double()> timed(std::function<void(int)> once, int group);
    void copy(std::size_t bytes, int call);

    report& out_;
    const gpu_stream& stream_;
    int rounds_;
    gpu_stopwatch watch_;
    array<double> copy_from_;
    array<double> copy_to_;
    std::int64_t most_launches_ = 0;  // of one call
    std::int64_t compiles_ = 0;       // while programs were timed
    bool right_ = true;
};

}  // namespace kiln::bench
