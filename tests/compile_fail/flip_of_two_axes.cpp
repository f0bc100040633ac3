// expect: two as k::axes(0, 1)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> turned(const k::array<float>& m) { return k::flip(m, k::axis(0), k::axis(1)); }
