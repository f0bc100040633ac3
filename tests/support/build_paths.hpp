// tests/support/build_paths: where this build's sources and programs are.
#pragma once

#include <string>

namespace tests {

/// The repository's root, without a slash at the end: for tests that hold texts of the tree to what is generated.
std::string source_folder();

/// programs/late_evaluation.cpp, built.
std::string late_evaluation_program();

/// programs/nvtx_listener.cpp, built; empty where there is no NVTX.
std::string nvtx_listener();

}  // namespace tests
