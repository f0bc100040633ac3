// kiln/plan/loops: what the loops of a host kernel's nest are to the machine's compiler: the more is known of them, the fewer of its passes
// it needs (compile/host_compiler.cpp has those for each kind).
// in: a planned kernel   out: a kind   knows nothing of: text, options
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

#include <cstdint>

namespace kiln::plan {

enum class loop_kind : std::uint8_t {
    any,              // tiles, or what nobody knows: every pass may pay
    walk,             // elements, whole rows or persistent columns as they come
    dividing,         // that of elements which take a division of integers, for which no processor has vectors
    float_walk,       // that of elements which are floats of 32 or 64 bits, or whose functions take most of the time
    float_rows,       // that of persistent rows of floats
    wide_float_rows,  // those of 32 and 64 bits alone
    named_vectors,    // that of bytes, computed in vectors which the text names: a compiler need not find any
};

/// Which vectors they are made of.
enum class loop_vectors : std::uint8_t {
    usual,   // of 256 bits
    widest,  // of as many as the processor has
    widest_scheduled,  // those, and steps are ordered before they have registers: those of several chains come between one another
};

/// Of a kernel whose operations are all kiln's, or of which it is known that the others neither loop nor branch.
loop_kind loops_of(const lower::program& program, const kernel& of);

}  // namespace kiln::plan
