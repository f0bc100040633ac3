// expect: two as k::axes(0, 1)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> tenth(const k::array<float>& m) { return k::quantile(m, 0.1, k::axis(0), k::axis(1)); }
