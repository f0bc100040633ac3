// expect: an axis is said as k::axis(1)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto best(const k::array<float>& m) { return k::topk(m, 2, 1, {.largest = false}); }
