// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto taken(const k::array<float>& m, const k::array<int>& which) { return k::take(m, which, 0); }
