// expect: an operand is an array, an expression or a number
#include <kiln/kiln.hpp>
namespace k = kiln;

auto total(const std::vector<float>& v) { return k::sum(v); }
