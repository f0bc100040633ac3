// expect: is said first, as k::axis(0)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto joined(const k::array<float>& x) { return k::concatenate({x, x}, k::axis(0)); }
