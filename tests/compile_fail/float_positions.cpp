// expect: positions are integers
#include <kiln/kiln.hpp>
namespace k = kiln;

auto taken(const k::array<float>& x) { return k::take(x, x, k::axis(0)); }
