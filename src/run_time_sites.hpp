// kiln/run_time_sites: what an expression type's static slot is to a type, for graphs built at run time: one site per
// structure, found by hash and compared whole.
#pragma once

#include <capture/graph.hpp>

#include <kiln/evaluate.hpp>

namespace kiln::detail {

struct run_time_site {
    graph described;
    std::atomic<const recipe*> recipes{nullptr};
};

/// Lives until the process ends. Thread-safe.
run_time_site& find_run_time_site(const graph& described);

}  // namespace kiln::detail
