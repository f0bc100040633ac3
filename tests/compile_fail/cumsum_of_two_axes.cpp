// expect: a scan goes along one axis
#include <kiln/kiln.hpp>
namespace k = kiln;

auto sums(const k::array<float>& x) { return k::cumsum(x, k::axes(0, 1)); }
