// kiln/options: how expressions are evaluated, for the calling thread, while a scoped_options lives.
#pragma once

#include <kiln/export.hpp>

namespace kiln::inline v0_1 {

struct options {
    /// false: one kernel per operator, with a temporary between each. The same bits; what fusing saves.
    bool fuse : 1 = true;
    /// true: a product and a sum that follow one another may be rounded once. Faster where arithmetic is what a kernel
    /// waits for; the bits then depend on what shares a kernel. k::fma(a, b, c) is one rounding always.
    bool fma : 1 = false;
    /// true: `fma`, and the compiler's fast arithmetic. CUDA: --use_fast_math, which is approximate division, square root
    /// and library functions of float, and denormal floats as 0; sums over a row that many values share may be reordered, and
    /// so are k::segment_sum's of float and double by many segments, from call to call.
    /// CPU: sums and products may be reordered, x / y may be x * (1 / y), and the sign of 0 is not kept. NaN and infinity
    /// of operands stay what they are, so where() and min() choose as ever; another order may meet, or not meet, others:
    /// x * y + x as x * (y + 1) is infinity for infinity and 0.
    bool fast_math : 1 = false;
    /// true: functions of float, and of 16-bit floats, have the same bits on a GPU as on the CPU, whose functions they then are (correctly
    /// rounded; OPERATIONS.md), computed in double. Not what users' functions call, and not under `fma`
    /// or `fast_math`. On the CPU they are what they always are.
    bool portable : 1 = false;
    /// true: cuBLASLt on a GPU, a BLAS (OpenBLAS, say) on the CPU, if it is installed, makes products of matrices: k::matmul of arrays and
    /// of views with one stride, of float, double, complex and on a GPU 16-bit floats (float sums), where nothing else is computed in the
    /// same kernel. In the library's order, so in bits of its own, without TF32, in threads of its own; `explain` shows which products
    /// those are. The first one opens the library: cuBLASLt takes hundreds of milliseconds. Elsewhere kiln's own kernels do it as ever.
    bool library : 1 = false;
    // fma and fast_math allow and do not oblige: the interpreter, which has compiled its steps before, keeps every rounding.

    friend bool operator==(const options&, const options&) = default;
};

namespace detail {
KILN_API extern thread_local constinit options thread_options;
}

/// The calling thread's options.
inline const options& current_options() noexcept { return detail::thread_options; }

/// { k::scoped_options off({.fuse = false}); y = e; }
class scoped_options {
public:
    [[nodiscard]] explicit scoped_options(const options& changed) noexcept : previous_(detail::thread_options) {
        detail::thread_options = changed;
    }
    ~scoped_options() { detail::thread_options = previous_; }
    scoped_options(const scoped_options&) = delete;
    scoped_options& operator=(const scoped_options&) = delete;

private:
    options previous_;
};

}  // namespace kiln::inline v0_1
