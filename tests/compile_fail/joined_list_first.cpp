// expect: is said first, as k::axis(0)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto joined(const std::vector<k::array<float>>& parts) { return k::concatenate(parts, k::axis(0)); }
