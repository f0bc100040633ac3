// kiln/capture/function_table: the functions that users wrote, each once and for ever, so that a number names one.
// in: definitions   out: numbers   knows nothing of: what compiles them
#pragma once

#include <capture/put_together.hpp>

#include <kiln/element_type.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Of a header that stands before a function.
struct header_definition {
    std::string name;
    std::string text;

    friend bool operator==(const header_definition&, const header_definition&) = default;
};

/// What k::assume says of values: they are between these two.
struct assumed_range {
    double low = 0;
    double high = 0;

    friend bool operator==(const assumed_range&, const assumed_range&) = default;
};

/// An assumption is one that gives its parameter back, and nothing is left of it in kernels.
struct function_definition {
    std::string name;
    element_type result = element_type::float32;
    std::vector<element_type> parameter_types;
    std::vector<std::string> parameter_names;
    std::string body;
    std::vector<header_definition> headers;  // in the order in which they stand, each name once
    std::optional<assumed_range> assumes = {};

    friend bool operator==(const function_definition&, const function_definition&) = default;
};

/// Body and headers, which last as long as `of`.
std::vector<user_text> texts_of(const function_definition& of);

/// Equal definitions have one number, from 1.
std::uint64_t number_of(const function_definition& of);
/// Lives for ever.
const function_definition& function_at(std::uint64_t number);

}  // namespace kiln::inline v0_1::detail
