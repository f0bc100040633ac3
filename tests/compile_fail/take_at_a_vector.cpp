// expect: take reads at positions that an array has: k::from_host(positions)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto taken(const k::array<float>& m, const std::vector<int>& which) { return k::take(m, which, k::axis(0)); }
