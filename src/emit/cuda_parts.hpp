// kiln/emit/cuda_parts: what all orders of a CUDA kernel's threads write alike: parameters, calls of the body, addresses,
// positions.
#pragma once

#include <emit/address.hpp>
#include <emit/body.hpp>
#include <text/format.hpp>

#include <functional>
#include <string>

namespace kiln::emit {

class cuda_parts {
public:
    cuda_parts(const lower::program& program_, const plan::kernel& kernel_)
        : program(program_), kernel(kernel_), names(program_, kernel_), addresses(kernel_, plan::frame::cuda) {}

    const lower::program& program;
    const plan::kernel& kernel;
    const value_names names;
    const address_text addresses;

    /// "unsigned int" or "long long": an element's number.
    [[nodiscard]] const char* number_type() const { return kernel.wide_index ? "long long" : "unsigned int"; }
    [[nodiscard]] int inner() const { return kernel.rank - 1; }

    /// Of the kernel, or of a device function that is given the same.
    [[nodiscard]] std::string parameters(bool of_kernel) const;
    [[nodiscard]] std::string arguments() const;

    /// `input` and `output` say what stands for an operand.
    [[nodiscard]] std::string call(const input_text& input, const output_text& output) const {
        return call_text(kernel, names, input, output) + ");";
    }

    /// Of each input that is not contiguous (and not read by other means): "at_x1".
    [[nodiscard]] std::string input_addresses(
        const std::string& indent,
        const std::function<bool(const plan::operand&)>& wanted = [](const plan::operand&) { return true; }) const;

    /// "p0", "p1", ...: the positions on axes 0 to `last` of the element (or row) with that number. Past 2^31 by the
    /// processor's division.
    [[nodiscard]] std::string positions(const std::string& number, int last, const std::string& indent) const;
    /// number / the divisor whose word is `divisor_word`, or the extent in the word before it where numbers are wide.
    [[nodiscard]] std::string quotient(const std::string& number, int extent_word, int divisor_word) const;
};

/// Each line by four more.
std::string indented(const std::string& lines);

/// The kernel's own lines, and functions that they call.
struct element_threads {
    std::string functions;
    std::string lines;
};
/// Of a reduction: the functions that its lines call, beside those of reduction_text.hpp.
element_threads write_reduction_threads(const cuda_parts& parts);
/// The same of rows that their kernel keeps.
element_threads write_persistent_row_threads(const cuda_parts& parts);

}  // namespace kiln::emit
