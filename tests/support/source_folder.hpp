// tests/support/source_folder: where the sources of this build are, for tests that hold texts of the tree to what is
// generated.
#pragma once

#include <string>

namespace tests {

/// The repository's root, without a slash at the end.
std::string source_folder();

}  // namespace tests
