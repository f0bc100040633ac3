// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

auto root(const std::vector<float>& v) { return k::sqrt(v); }
