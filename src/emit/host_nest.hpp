// kiln/emit/host_nest: a nest as C++ of the host, statement by statement.
// in: a nest   out: its kernel   knows nothing of: which nest, and why
#pragma once

#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

/// `calls_library`: the bodies take the library's functions as their last argument.
std::string print_host(const plan::nest::tree& of, const std::string& name, bool calls_library);

}  // namespace kiln::emit
