// expect: ddof stands behind the axes
#include <kiln/kiln.hpp>
namespace k = kiln;

auto spread(const k::array<float>& x) { return k::var(x, k::ddof(1), k::axis(0)); }
