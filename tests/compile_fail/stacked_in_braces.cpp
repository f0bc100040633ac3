// expect: without braces
#include <kiln/kiln.hpp>
namespace k = kiln;

auto stacked(const k::array<float>& x) { return k::stack(k::axis(0), {x, x}); }
