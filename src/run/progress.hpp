// kiln/run/progress: who wants to know is told which kernel of an evaluation is compiled, and how many are to come.
// in: stages and kernels as they are met   out: calls, or a line that goes away   knows nothing of: how kernels are made
#pragma once

#include <kiln/progress.hpp>

#include <cstdint>
#include <string_view>

namespace kiln::inline v0_1::detail {

/// The calling thread's evaluation while it lives, of so many stages to come. Inside another it is a part of that one. At the
/// outermost one's end the line goes away.
class progress_of_evaluation {
public:
    explicit progress_of_evaluation(std::int64_t stage_count) noexcept;
    ~progress_of_evaluation();
    progress_of_evaluation(const progress_of_evaluation&) = delete;
    progress_of_evaluation& operator=(const progress_of_evaluation&) = delete;
};

/// One of the stages to come has come.
void begin_stage() noexcept;
/// It was planned: it has so many kernels.
void add_planned_kernels(std::int64_t count) noexcept;
/// One of them is there.
void add_done_kernel() noexcept;
/// One of them is not there, and is compiled now.
void tell_of_compile(std::string_view name, std::string_view expression, const char* label);

}  // namespace kiln::inline v0_1::detail
