// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> totals(const k::array<float>& m) { return k::sum(m, 1.0); }
