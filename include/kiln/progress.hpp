// kiln/progress: how far an evaluation is that has kernels to compile.
#pragma once

#include <kiln/export.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace kiln::inline v0_1 {

struct compile_progress {
    std::int64_t done = 0;   // kernels of this evaluation that are there, compiled or found
    std::int64_t total = 0;  // that it will have, as far as is known: one for each stage that is still to be planned
    std::string name;        // of the kernel that is compiled now: "kiln_add4_f32_v4"; empty: the last is done
    std::string expression;
    std::string label;
};

/// Called before each compile of an evaluation (eval, prepare, an assignment), and after its last one, by the thread that
/// compiles: show it and return, and evaluate nothing. What it throws goes to who evaluates. One at a time for the process: it
/// replaces the one before; {} asks for none. Without one, a line on standard error says the same where that is a terminal, and
/// goes away (KILN_PROGRESS=0: never, 1: always).
KILN_API void on_compile_progress(std::function<void(const compile_progress&)> call);

}  // namespace kiln::inline v0_1
