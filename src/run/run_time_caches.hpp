// kiln/run/run_time_caches: what expression_cache is to an expression's type, for graphs built at run time: one cache per
// structure, found by hash and compared whole.
#pragma once

#include <capture/graph.hpp>

#include <kiln/evaluate.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

struct known_finish;  // scan.cpp

struct run_time_cache {
    graph described;
    std::vector<std::vector<bool>> leaves_of_each;  // leaves_of_outputs, where there are several
    std::atomic<const executable*> executables{nullptr};
    std::atomic<const known_finish*> finishes{nullptr};  // of scans that go on with it
};

/// What the expression of a C++ type is.
inline graph described_by(const expression_cache& of) {
    graph out;
    of.describe(out);
    return out;
}

/// Lives until the process ends. Thread-safe.
run_time_cache& find_run_time_cache(const graph& described);

}  // namespace kiln::inline v0_1::detail
