// kiln/emit/body: the steps of one kernel as a function of one element, the same text in both frames.
#pragma once

#include <emit/source.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::emit {

/// What the frames write around the body.
struct body {
    std::string functions;      // what the steps call, where used: of users, of helpers/, of the library
    std::string parameters;     // "const float x0, const float s0, float& y0": one element
    std::string steps;          // lines, indented once
    bool uses_library = false;  // host: the table of inexact functions is the last argument
    std::string name = "body";
};

/// Of a host kernel.
body make_body(const lower::program& program, const plan::kernel& kernel);

/// Names by place in the kernel, so that equal kernels of different programs are one text: "x0" for an array, "i0" for a
/// position, "s1" for a scalar, "t2" for a step. A constant's name is its value.
class value_names {
public:
    value_names(const lower::program& program, const plan::kernel& kernel);
    [[nodiscard]] std::string operator()(lower::value_id value) const;
    /// "user0_logaddexp": users name their functions as they like, even as other functions are named.
    [[nodiscard]] std::string function(std::uint64_t number) const;
    /// The users' functions of the kernel, by first appearance; those of its reductions last.
    [[nodiscard]] const std::vector<std::uint64_t>& functions() const { return functions_; }

private:
    lower::value_id first_step_;
    std::unordered_map<lower::value_id, std::string> outside_;  // all but the kernel's own steps
    std::vector<std::uint64_t> functions_;
};

/// Parameters and steps alone, of the kernel's steps that take part.
body make_steps(const lower::program& program, const plan::kernel& kernel, const value_names& names, plan::frame frame,
                const std::function<bool(int step)>& takes_part);

/// What stands for an operand of the body; an output has a name.
using input_text = std::function<std::string(const plan::operand&)>;
using output_text = std::function<std::string(const plan::operand&, const std::string& name)>;

/// "body(x0[i], s0, y0[i]": the arguments that both frames give, without the end.
std::string call_text(const plan::kernel& kernel, const value_names& names, const input_text& input,
                      const output_text& output, const std::string& function = "body");

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
std::string step_text(const lower::program& program, const value_names& names, const lower::step& step,
                      plan::frame frame);

/// "    const float t0 = x0 + x0;\n"
std::string step_line(const lower::program& program, const value_names& names, int step, plan::frame frame);

/// A call of one of them: what stands for its parameters is of their types, and what comes out of its result's.
std::string function_call(const value_names& names, std::uint64_t function, const std::vector<std::string>& arguments);

/// The users' functions, as they wrote them; a compiler's complaint about one names it and the line of its body.
std::string user_functions(const value_names& names, plan::frame frame);

/// Reads back as the same bits: "3", "0.1f", "(-1.0 / 0.0)".
std::string literal(const lower::constant& of);

}  // namespace kiln::emit
