// expect: k::from_host makes arrays of others
#include <kiln/kiln.hpp>
namespace k = kiln;

auto clamped(const k::array<float>& x, const std::vector<float>& most) { return k::clamp(x, 0, most); }
