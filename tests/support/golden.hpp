// tests/support/golden: generated sources against the committed ones in tests/golden: a change in generated code shows as a
// diff that a person can judge. KILN_UPDATE_GOLDEN=1 writes them anew.
#pragma once

#include <emit/source.hpp>

#include <string>
#include <vector>

namespace tests {

void check_golden(const std::string& name, const std::vector<kiln::emit::source>& made);

}  // namespace tests
