// expect: k::take reads at the positions
#include <kiln/kiln.hpp>
namespace k = kiln;

auto rows(const k::array<float>& x, const k::array<int>& which) { return x(which); }
