// tests/emit/skeletons: kernels' sources as goldens, so that a change of one place in src/emit changes one of them. A
// kind's golden has its kernel's own lines; what kernels share is a golden once, and the others name it.
// in: sources of all kinds   out: files of tests/golden
#pragma once

#include "kinds.hpp"

#include <map>
#include <string>
#include <vector>

namespace tests {

/// What each file of tests/golden holds, by its name: "softmax.cu", "shared/vectors.cu".
std::map<std::string, std::string> skeletons(const std::vector<kind>& of);

/// The definitions of `name` are in shared/<group>; "" where no group has such.
std::string group_of(const std::string& name, kiln::plan::frame on);

}  // namespace tests
