// kiln/emit/source: a kernel's nest and its steps to source text, in two languages.
// in: a kernel of a schedule   out: its name and its complete source   knows nothing of: files, clocks
#pragma once

#include <plan/loops.hpp>
#include <plan/nest/nest.hpp>
#include <plan/schedule.hpp>
#include <plan/target.hpp>

#include <string>
#include <string_view>

namespace kiln::emit {

struct source {
    std::string name;  // of the extern "C" function
    std::string text;
    /// "x0 + x0: float32 -> float32": what it computes, whatever its operands' layouts are. Kernels of one expression are
    /// kept beside each other, so that a miss can say which of them there are.
    std::string expression = {};
    int steps = 0;                 // of its body: what long ones are compiled by is another matter
    int dynamic_shared_bytes = 0;  // of a nest that is no kernel's of a schedule, which says so itself
    plan::loop_kind loops =
        plan::loop_kind::any;  // on the host: plan::loops_of(), where no function of a user's may branch
    plan::loop_vectors vectors = plan::loop_vectors::usual;  // on the host: plan::vectors_of()
};

/// CUDA C++ for NVRTC: extern "C" __global__ void name(what the kernel's signature says).
/// Host C++: extern "C" void name(void* const* parameters, long long begin, long long end,
/// const void* const* library): slot i points to parameter i of the signature; elements [begin, end) are computed, or
/// tiles of a kernel that takes tiles, or rows of one with persistent rows; the library's functions are in the order of
/// emit/library.hpp, and after them what is not nullptr where results shall go past the caches, and where a thread's memory
/// comes from.
source emit(const lower::program& program, const plan::kernel& kernel, plan::frame frame);

/// The nest that this text is of.
plan::nest::tree nest_of(const lower::program& program, const plan::kernel& kernel, plan::frame frame);

/// Steps that a kernel computes of elements.
struct element_steps {
    const lower::program& program;
    const plan::kernel& all;
};

/// Of a kernel that a policy has built (CUDA). `expression`: what it computes, for people. `steps`: of its bodies, where it has some.
source emit(const plan::nest::tree& of, std::string expression, const element_steps* steps = nullptr);

/// "kiln_add4_f32_v4": operations, type, elements per thread, and what else makes the kernel another.
std::string kernel_name(const lower::program& program, const plan::kernel& kernel);

/// "x0 + x0 * s0", "sum(x0 * x1)", for people; shortened with "..." past 120 characters.
std::string expression_text(const lower::program& program, const plan::kernel& kernel);

/// The same with the operands' types; of a shortened one, with a hash of all of it.
std::string typed_expression_text(const lower::program& program, const plan::kernel& kernel);

/// The file that errors in a kernel's own lines are said to be in, where a user's function stands before them.
inline constexpr std::string_view kernel_file = "the kernel";

/// Changes whenever the text for one program may: part of every key.
inline constexpr int generator_version = 56;

}  // namespace kiln::emit
