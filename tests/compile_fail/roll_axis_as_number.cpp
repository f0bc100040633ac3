// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto rolled(const k::array<float>& m) { return k::roll(m, 1, 0); }
