// expect: pad has a pair for each axis
#include <kiln/kiln.hpp>
namespace k = kiln;

auto framed(const k::array<float>& x) { return k::pad(x, 1); }
