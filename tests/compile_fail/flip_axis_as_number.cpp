// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto turned(const k::array<float>& m) { return k::flip(m, 0); }
