// expect: two as k::axes(0, 1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto all(const k::array<bool>& x) { return k::all(x, k::axis(0), k::axis(1)); }
