// expect: behind the array stand the axes
#include <kiln/kiln.hpp>
namespace k = kiln;

auto all(const k::array<bool>& x) { return k::all(x, 1); }
