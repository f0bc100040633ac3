// expect: of a shape that depends on values
#include <kiln/kiln.hpp>
namespace k = kiln;

auto positions(const k::array<float>& x) { return k::where(x > 0); }
