// expect: extents and axes are lists
#include <kiln/kiln.hpp>
namespace k = kiln;

auto table(const k::array<float>& x) { return k::reshape(x, 2, 3); }
