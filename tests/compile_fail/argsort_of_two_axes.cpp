// expect: a sort goes along one axis
#include <kiln/kiln.hpp>
namespace k = kiln;

auto order(const k::array<float>& x) { return k::argsort(x, k::axis(0), k::axis(1)); }
