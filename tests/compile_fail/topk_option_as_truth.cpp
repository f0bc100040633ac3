// expect: {.largest = false}
#include <kiln/kiln.hpp>
namespace k = kiln;

auto best(const k::array<float>& x) { return k::topk(x, 3, k::axis(0), true); }
