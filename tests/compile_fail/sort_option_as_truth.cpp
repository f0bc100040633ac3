// expect: {.descending = true}
#include <kiln/kiln.hpp>
namespace k = kiln;

auto down(const k::array<float>& x) { return k::sort(x, true); }
