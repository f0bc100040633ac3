// expect: may be a mask of bool
#include <kiln/kiln.hpp>
namespace k = kiln;

void filled(k::array<float>& x) { x(x) = 1.0f; }
