// expect: to takes the device first
#include <kiln/kiln.hpp>
namespace k = kiln;

auto moved(const k::array<float>& x) { return k::to(x, k::cpu); }
