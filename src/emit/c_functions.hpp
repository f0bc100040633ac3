// kiln/emit/c_functions: what users' texts name of C, declared: kernels include nothing. <math.h> alone took 105 of a
// compile's 160 ms on the host (g++ 12).
// in: users' text   out: declarations to stand before it   knows nothing of: what the functions compute
#pragma once

#include <plan/target.hpp>

#include <string>
#include <string_view>

namespace kiln::emit {

/// Of the names in `text`, and no others, on the host what <math.h> of libstdc++ has: C's functions, C++'s overloads of
/// them, by std:: too, constants, fixed-width integers; and CUDA's __device__, __host__, __constant__, __forceinline__. On
/// CUDA the constants and integers, which NVRTC has not, and no functions, which it has. All names where ## may make words
/// that are not in the text. Compilers know the functions: calls become the instructions that they were.
std::string c_names_for(std::string_view text, plan::frame frame);

}  // namespace kiln::emit
