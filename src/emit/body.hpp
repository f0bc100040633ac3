// kiln/emit/body: the steps of one kernel as a function of one element, the same text in both frames.
#pragma once

#include <emit/source.hpp>

#include <string>
#include <unordered_map>

namespace kiln::emit {

/// What the frames write around the body.
struct body {
    std::string functions;      // helpers that the steps call, where used
    std::string parameters;     // "const float x0, const float s0, float& y0": one element
    std::string steps;          // lines, indented once
    bool uses_library = false;  // host: the table of inexact functions is the last argument
};

body make_body(const lower::program& program, const plan::kernel& kernel, plan::frame frame);

/// Names by place in the kernel, so that equal kernels of different programs are one text: "x0" for an array, "i0" for a
/// position, "s1" for a scalar, "t2" for a step.
class value_names {
public:
    value_names(const lower::program& program, const plan::kernel& kernel);
    [[nodiscard]] std::string operator()(lower::value_id value) const;

private:
    lower::value_id first_step_;
    std::unordered_map<lower::value_id, std::string> outside_;  // all but the kernel's own steps
};

/// "p0": the position on a collapsed axis.
std::string axis_position(int axis);

/// An operand's element: "x0[i]"; of a position the address itself, "i0 + i".
std::string element_text(const plan::operand& of, const std::string& name, const std::string& address);

/// The typedefs of those type names in `text` that are no C++ keyword.
std::string typedefs_for(const std::string& text);

/// As in element_type.def.
const char* spelling(element_type type);

/// Of one step, its operands by name: "x0 + x0", "int(u32(t0) + u32(s0))".
std::string step_text(const value_names& names, const lower::step& step, plan::frame frame);

}  // namespace kiln::emit
