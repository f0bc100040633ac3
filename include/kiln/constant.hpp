// kiln/constant: a number that is part of the kernel's text.
#pragma once

#include <kiln/expression.hpp>

namespace kiln::inline v0_1 {

/// x * k::constant<3>, x + k::constant<0.5f>. In promotion a C++ number of its type, but one that the compiler of the
/// kernel sees, so that it may multiply by 4 with a shift; another value is another kernel. A number beside an array
/// without `constant` is a parameter of the kernel: its value never compiles anything.
/// Does not compile where an integer does not fit the array's type.
template <auto v>
inline constexpr constant_number<v> constant{};

}  // namespace kiln::inline v0_1
