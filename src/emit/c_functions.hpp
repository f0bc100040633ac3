// kiln/emit/c_functions: what users' texts name of C in the host's kernels, declared: those include no <math.h>, which took
// 105 of a compile's 160 ms (g++ 12).
// in: users' text   out: declarations to stand before it   knows nothing of: what the functions compute
#pragma once

#include <string>
#include <string_view>

namespace kiln::emit {

/// What <math.h> of libstdc++ has of the names in `text`, and no more: C's functions, C++'s overloads of them, by std:: too,
/// constants, fixed-width integers; and CUDA's __device__, __host__, __constant__, __forceinline__. All names where ## may
/// make words that are not in the text. The compiler knows the functions: calls become the instructions that they were.
std::string c_names_for(std::string_view text);

}  // namespace kiln::emit
