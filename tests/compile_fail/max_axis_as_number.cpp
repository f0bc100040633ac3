// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto most(const k::array<float>& m) { return k::max(m, 1, k::keep_dims); }
