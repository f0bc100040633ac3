// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

void copied(k::array<float>& x, const std::vector<float>& v) { x = v; }
