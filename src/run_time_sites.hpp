// kiln/run_time_sites: what an expression type's static slot is to a type, for graphs built at run time: one site per
// structure, found by hash and compared whole.
#pragma once

#include <capture/graph.hpp>

#include <kiln/evaluate.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

struct run_time_site {
    graph described;
    std::vector<std::vector<bool>> leaves_of_each;  // leaves_of_outputs, where there are several
    std::atomic<const recipe*> recipes{nullptr};
};

/// Of all outputs; in evaluate.cpp.
void evaluate(run_time_site& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
              const char* label, purpose why);

/// While the thread looks at a function (fused.cpp), leaves may stand for arguments, which have no memory.
inline thread_local constinit bool is_tracing = false;
/// Throws where one does.
void require_memory(const leaf* leaves, int leaf_count);

/// Lives until the process ends. Thread-safe.
run_time_site& find_run_time_site(const graph& described);

}  // namespace kiln::inline v0_1::detail
