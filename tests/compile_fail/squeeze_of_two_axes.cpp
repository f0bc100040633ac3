// expect: two as k::axes(0, 1)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> flat(const k::array<float>& m) { return k::squeeze(m, k::axis(0), k::axis(1)); }
