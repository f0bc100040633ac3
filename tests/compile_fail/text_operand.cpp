// expect: constraint
#include <kiln/kiln.hpp>
namespace k = kiln;

auto added(const k::array<float>& x) { return x + "one"; }
