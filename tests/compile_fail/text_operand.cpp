// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

auto added(const k::array<float>& x) { return x + "one"; }
