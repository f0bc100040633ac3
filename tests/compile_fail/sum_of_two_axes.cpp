// expect: two as k::axes(0, 1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto total(const k::array<float>& x) { return k::sum(x, k::axis(0), k::axis(1)); }
