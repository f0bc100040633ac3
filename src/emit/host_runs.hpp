// kiln/emit/host_runs: how a host kernel reduces values that are neighbours in memory, as text. The order is that of
// plan/host_order.hpp, and device/cpu/host_reducer.cpp does the same.
// in: a reduction's own texts   out: statements   knows nothing of: kernels
#pragma once

#include <functional>
#include <string>

namespace kiln::emit {

struct run_text {
    std::string state;                                // a type
    std::string nothing;                              // what is known of no value
    std::function<std::string(const char*)> element;  // the value at that place as a state
    std::string taken;                                // the function of a state and an element after it
    std::string met;                                  // of two states
};

/// Statements after which lane[0] is what the values up to `count` come to.
std::string lanes_of(const run_text& of);

}  // namespace kiln::emit
