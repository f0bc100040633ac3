// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

auto chosen(const k::array<float>& x) { return k::where(x > 0, x, "none"); }
