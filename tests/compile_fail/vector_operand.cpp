// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

auto scaled(const k::array<float>& x, const std::vector<float>& v) { return x * v; }
