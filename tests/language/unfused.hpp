// tests/language/unfused: an expression fused, and the same bits with a kernel for each of its operations.
#pragma once

#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/sample.hpp>

#include <kiln/kiln.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tests {

template <class T>
struct fused_elements {
    std::vector<T> elements;
    std::int64_t launches = 0;  // of the fused evaluation
};

/// Whether it is evaluated unfused, too: not where the CPU's interpreter computes what is compiled for a GPU, of which it could only say
/// again what it says in a run of its own, and a kernel for each operation is what other tests compile.
inline bool compares_unfused() { return !cubins_wanted() || tries_every_combination(); }

/// Checks that shape and bits are the same unfused; where kernels are compiled for a GPU alone, all of the fused plan's are.
template <class T>
fused_elements<T> same_unfused(const std::function<kiln::expr<T>()>& make) {
    const kiln::counters before = kiln::counters::now();
    const kiln::array<T> fused = make();
    const kiln::counters after = kiln::counters::now();
    fused_elements<T> out{fused.to_host(), after.launches - before.launches};
    if (compares_unfused()) {
        const kiln::scoped_options apart({.fuse = false});
        const kiln::array<T> unfused = make();
        CHECK(unfused.shape() == fused.shape());
        const std::string trouble = difference(out.elements, unfused.to_host());
        CHECK_MESSAGE(trouble.empty(), trouble);
    }
    const compiling_only compiling;
    if (cubins_wanted()) kiln::prepare(make());
    return out;
}

}  // namespace tests
