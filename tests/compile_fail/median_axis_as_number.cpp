// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> middle(const k::array<float>& m) { return k::median(m, 1); }
