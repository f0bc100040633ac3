// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto squeezed(const k::array<float>& m) { return k::squeeze(m, 0); }
