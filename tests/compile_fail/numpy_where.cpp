// expect: deleted function
#include <kiln/kiln.hpp>
namespace k = kiln;

auto made(const k::array<float>& x) { return k::where(x > 0, x); }
