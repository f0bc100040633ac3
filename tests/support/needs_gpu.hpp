// tests/support/needs_gpu: test cases that are skipped for want of a GPU, counted: the end of a run says how many in one line,
// where a message of each would bury what failed.
#pragma once

namespace tests {

/// Of a test case that this ends.
void skip_without_gpu();

[[nodiscard]] int skipped_without_gpu();

}  // namespace tests
