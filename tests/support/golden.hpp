// tests/support/golden: texts against the committed ones in tests/golden: a change in generated code shows as a diff
// that a person can judge. KILN_UPDATE_GOLDEN=1 build/release/tests/kiln_test -tc='golden*' writes them anew.
#pragma once

#include <string>

namespace tests {

/// The folder of the committed ones.
std::string golden_folder();

void check_golden(const std::string& name, const std::string& made);

/// Whether the committed ones are being written, rather than compared.
bool updates_goldens();

std::string text_of_file(const std::string& path);

}  // namespace tests
