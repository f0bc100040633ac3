// kiln/capture/reduction_table: the reductions that users wrote, each once and for ever, so that a number names one.
// in: definitions   out: numbers   knows nothing of: what compiles them
#pragma once

#include <kiln/reduction.hpp>

#include <cstdint>

namespace kiln::inline v0_1::detail {

struct reduction_definition {
    std::uint64_t function = 0;      // that makes one of two: capture/function_table.hpp
    std::uint64_t identity[2] = {};  // low bytes first

    friend bool operator==(const reduction_definition&, const reduction_definition&) = default;
};

/// Lives for ever.
const reduction_definition& reduction_at(std::uint64_t number);

/// As its user calls it. `definition`: of a reduction that a user wrote.
const char* name_of(reduction_kind what, std::uint64_t definition);

}  // namespace kiln::inline v0_1::detail
