// kiln/emit/host_runs: how a host kernel reduces values that are neighbours in memory, as text. The order is that of
// plan/host_order.hpp, and device/cpu/host_reducer_loops.hpp does the same.
// in: a reduction's own texts   out: statements   knows nothing of: kernels
#pragma once

#include <functional>
#include <string>

namespace kiln::emit {

struct run_text {
    std::string accumulator;                          // a type
    std::string identity;                             // what changes nothing that it is combined with
    std::function<std::string(const char*)> element;  // the value at that place as an accumulator
    std::string append;                               // the function of an accumulator and an element after it
    std::string combine;                              // of two accumulators
    /// A statement that appends the values from i on, which fill no lanes, to the first ones; empty: a loop.
    std::string append_rest = {};
};

/// Statements after which lane[0] is what the values up to `count` come to.
std::string lanes_of(const run_text& of);

}  // namespace kiln::emit
