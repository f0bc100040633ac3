// kiln/emit/fast_paths: the lines of a CUDA body whose roots, reciprocals and quotients take the paths that plan/fast_paths.hpp chose.
// in: the steps of one body, and their paths   out: its lines, and what stands before it
#pragma once

#include <emit/body.hpp>
#include <plan/fast_paths.hpp>

#include <functional>
#include <string>
#include <vector>

namespace kiln::emit {

class fast_path_text {
public:
    fast_path_text(const lower::program& program, const value_names& names, const std::vector<int>& steps,
                   const plan::fast_paths& chosen);

    /// `line`: of a step that takes no path of its own. Behind the last test, a branch to what is right where a test failed.
    [[nodiscard]] std::string lines(const std::string& body, const std::function<std::string(int step)>& line) const;
    /// Where a test fails, "in_range" becomes false, and results are what they are.
    [[nodiscard]] std::string lines_without_branch(const std::function<std::string(int step)>& line) const;
    /// The function that the branch calls; empty where there is none.
    [[nodiscard]] std::string exact_function(const std::string& body) const;

private:
    [[nodiscard]] const lower::step& step_at(std::size_t i) const;
    [[nodiscard]] lower::value_id value_at(std::size_t i) const;
    [[nodiscard]] std::string path_text(std::size_t i) const;
    [[nodiscard]] std::string test_text(std::size_t i) const;
    [[nodiscard]] std::string branch_text(const std::string& body) const;

    const lower::program& program_;
    const value_names& names_;
    const std::vector<int>& steps_;
    const plan::fast_paths& chosen_;
};

}  // namespace kiln::emit
