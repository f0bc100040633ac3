// kiln/plan/divisors: integers divided by a scalar. A launch's scalars are no constants to the compiler, but each is one number for
// all elements: what a quotient by it is multiplied by is made once, by the host, and is a parameter of the kernel.
// in: a kernel's steps and scalars   out: which of the scalars divide, and the number for each   knows nothing of: text
#pragma once

#include <lower/program.hpp>

#include <cstdint>
#include <vector>

namespace kiln::plan {

struct kernel;

/// More, of which a kernel would run out of memory for its parameters, divide as other values do.
inline constexpr std::size_t most_divisors = 32;

/// A quotient, or the rest of one, of integers of 32 or 64 bits.
bool divides_integers(const lower::step& of);

/// Whether a step of a kernel is one by a number that the kernel is given with its multiplier.
bool divides_by_scalar(const lower::step& of, const kernel& in);

/// Of the kernel's scalars, by number: those that its steps divide such integers by.
std::vector<int> divisors_of(const lower::program& program, const kernel& of);

/// What stands for a divisor in a kernel, for emit/helpers/divisors_cuda.inc. `bits`: the scalar's, low bytes first.
/// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994.
std::uint64_t multiplier_of(element_type type, std::uint64_t bits);

}  // namespace kiln::plan
