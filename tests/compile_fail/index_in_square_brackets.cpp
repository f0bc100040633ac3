// expect: elements_and_slices_are_told_in_round_brackets
#include <kiln/kiln.hpp>
namespace k = kiln;

auto first(const k::array<float>& x) { return x[0]; }
