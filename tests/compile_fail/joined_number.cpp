// expect: of a number k::full makes one
#include <kiln/kiln.hpp>
namespace k = kiln;

auto longer(const k::array<float>& x) { return k::concatenate(k::axis(0), x, 3.0f); }
