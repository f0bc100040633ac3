// expect: shift has a distance for each axis
#include <kiln/kiln.hpp>
namespace k = kiln;

auto moved(const k::array<float>& x) { return k::shift(x, 1, k::boundary::wrap); }
