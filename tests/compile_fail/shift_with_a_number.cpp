// expect: k::boundary::constant(5.0f)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto moved(const k::array<float>& x) { return k::shift(x, {1}, 5.0f); }
