// expect: deleted function
// The compiler quotes the line that deletes it, and so what it is called here.
#include <kiln/kiln.hpp>
namespace k = kiln;

auto made(const k::array<float>& x) { return k::minimum(1, x + x); }
