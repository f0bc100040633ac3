// expect: take reads at positions that an array has
#include <kiln/kiln.hpp>
namespace k = kiln;

auto taken(const k::array<float>& m) { return k::take(m, {0, 2}, k::axis(0)); }
