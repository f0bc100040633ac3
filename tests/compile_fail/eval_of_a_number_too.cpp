// expect: eval takes expressions
#include <kiln/kiln.hpp>
namespace k = kiln;

auto both(const k::array<float>& x) { return k::eval(x + x, 3); }
