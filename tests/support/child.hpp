// tests/support/child: one test case of this program in a process of its own, where the environment differs.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tests {

struct child_result {
    int exit_status = -1;  // -1: a signal ended it
    std::string output;    // standard output and standard error, in the order written
};

/// A variable and its value; without a value it is unset.
struct variable {
    std::string name;
    const char* value = nullptr;
};

/// Runs the test case of that very name, which is marked doctest::skip() so that it runs only here. KILN_DEVICE,
/// KILN_CPU, KILN_TEST_CUBINS and KILN_CACHE_DIR are unset unless `environment` sets them.
child_result run_child(const std::string& test_case, const std::vector<variable>& environment);

/// Runs another program in the same way.
child_result run_program(const std::string& program, const std::vector<std::string>& arguments,
                         const std::vector<variable>& environment);

/// And KILN_DEVICE, KILN_CPU and KILN_TEST_CUBINS as this process has them, but each kernel compiled by itself: what a child leaves
/// in a store, others are to find.
std::vector<variable> with_this_device(std::vector<variable> environment);

/// How often `word` stands in `text`.
int occurrences(const std::string& text, const std::string& word);

/// An empty folder that goes with the object.
class temporary_folder {
public:
    temporary_folder();
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace tests
