// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto repeated(const k::array<float>& m) { return k::repeat(m, 2, 0); }
