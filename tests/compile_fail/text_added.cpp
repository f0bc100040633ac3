// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

void added(k::array<float>& x) { x += "one"; }
