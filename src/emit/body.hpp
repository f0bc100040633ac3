// kiln/emit/body: the steps of one kernel as a function of one element, the same text in both frames, and what texts are made of:
// names, types, literals.
#pragma once

#include <emit/source.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::emit {

struct body {
    std::string parameters;  // "const float x0, const float s0, float& y0": one element
    std::string steps;       // lines, indented once
    std::string before;      // functions that they call
    std::string fast_steps;  // without a branch to what is right where a test of theirs fails: plan/fast_paths.hpp
};

/// What stands before a function that kernels call.
constexpr const char* function_head(plan::frame on) {
    return on == plan::frame::cuda ? "__device__ __forceinline__ " : "static inline ";
}

/// Names by place in the kernel, so that equal kernels of different programs are one text: "x0" for an array, "i0" for a
/// position, "s1" for a scalar, "t2" for a step. A constant's name is its value.
class value_names {
public:
    value_names(const lower::program& program, const plan::kernel& kernel);
    [[nodiscard]] std::string operator()(lower::value_id value) const;
    /// "d0": what a quotient by a scalar is multiplied by, where the kernel is given it; "" elsewhere.
    [[nodiscard]] std::string divisor(lower::value_id value) const;
    /// "user0_logaddexp": users name their functions as they like, even as other functions are named.
    [[nodiscard]] std::string function(std::uint64_t number) const;
    /// The users' functions of the kernel, by first appearance; those of its reductions last.
    [[nodiscard]] const std::vector<std::uint64_t>& functions() const { return functions_; }
    /// Whether functions of float32 are the host's.
    [[nodiscard]] bool portable() const { return portable_; }

private:
    lower::value_id first_step_;
    bool portable_;
    std::unordered_map<lower::value_id, std::string> outside_;   // all but the kernel's own steps
    std::unordered_map<lower::value_id, std::string> divisors_;  // of scalars
    std::vector<std::uint64_t> functions_;
};

/// What a function's result `number` is. Of a complex number on the host each part by itself: of a copy of the whole, loops around it have
/// no vectors (g++ 12; 20,000 products where another number is small took 27 us, and take 7: EPYC, Zen 4).
std::string result_line(std::size_t number, const std::string& value, element_type type, plan::frame frame);

/// Steps of a function of that name in a kernel, which gives `outputs`; `line`: of one of them by itself. `is_anew`: of what fast steps
/// did not do right.
void add_steps(body& to, const lower::program& program, const plan::kernel& kernel, const value_names& names,
               const std::vector<int>& steps, const std::vector<lower::value_id>& outputs, plan::frame frame,
               const std::string& name, const std::function<std::string(int step)>& line, bool is_anew = false);

/// All of the kernel's steps.
body make_steps(const lower::program& program, const plan::kernel& kernel, const value_names& names, plan::frame frame,
                bool is_anew = false);

/// Host: one function per entry of the library's table that the text calls. Empty when there is none.
std::string library_functions(std::string_view text);

/// Host: one function per function of a block that the text calls, "block_exp_f32".
std::string block_functions(std::string_view text);

/// "p0": the position on a collapsed axis.
std::string axis_position(int axis);

/// An operand's element: "x0[i]"; of a position the address itself, "i0 + i".
std::string element_text(const plan::operand& of, const std::string& name, const std::string& address);

/// The typedefs of those type names in `text` that are no C++ keyword.
std::string typedefs_for(const std::string& text);

/// As in element_type.def.
const char* spelling(element_type type);

/// 16-bit floats are computed in float32, all other types in themselves.
element_type computed_in(element_type type);

/// Of one of the program's steps, its operands by name: "x0 + x0", "int(u32(t0) + u32(s0))".
std::string step_text(const value_names& names, const lower::step& step, plan::frame frame);

/// Whether a cast of floating numbers to integers is one instruction on CUDA, which rounds as it is told.
bool has_conversion(const lower::step& cast);

/// Of such a cast, "u8(CONVERTED("rni.u8", t0))". `rounding`, as PTX has them: "rzi" to zero, "rni" to the nearest, "rmi" down, "rpi" up.
std::string converted(const std::string& from, element_type to, const char* rounding);

/// Of a kernel's step, an element that it finds by positions among them.
std::string step_line(const lower::program& program, const plan::kernel& kernel, const value_names& names, int step,
                      plan::frame frame);

/// Parameters of a body: "const float x0", or, of an array whose elements it finds by positions, "const float* x0"; and those positions.
std::string input_parameter(const lower::program& program, const plan::kernel& kernel, const value_names& names,
                            lower::value_id input);
std::string position_parameters(const plan::kernel& kernel, plan::frame frame);

/// "    const float t0 = x0 + x0;\n"
std::string step_line(const lower::program& program, const value_names& names, int step, plan::frame frame);

/// A call of one of them: what stands for its parameters is of their types, and what comes out of its result's.
std::string function_call(const value_names& names, std::uint64_t function, const std::vector<std::string>& arguments);

/// The users' functions, as they wrote them; a compiler's complaint about one names it and the line of its body.
std::string user_functions(const value_names& names, plan::frame frame);

/// Reads back as the same bits: "3", "0.1f", "(-1e300 * 1e300)".
std::string literal(const lower::constant& of);

}  // namespace kiln::emit
