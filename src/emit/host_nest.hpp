// kiln/emit/host_nest: a nest as C++ of the host, statement by statement.
// in: a nest   out: its kernel   knows nothing of: which nest, and why
#pragma once

#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

struct host_nest {
    std::string helpers;  // names of the pieces of helpers/ that the kernel calls
    std::string kernel;
};

/// `calls_library`: the bodies take the library's functions as their last argument. `calls_runs`: as reduction_functions() has it.
host_nest print_host(const plan::nest::tree& of, const std::string& name, bool calls_library, bool calls_runs);

}  // namespace kiln::emit
