// expect: a number behind the axes is said as k::ddof(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto spread(const k::array<float>& x) { return k::stddev(x, k::axis(0), 1); }
