// expect: an index is made of positions
#include <kiln/kiln.hpp>
namespace k = kiln;

auto element(const k::array<float>& x) { return x(1.5); }
