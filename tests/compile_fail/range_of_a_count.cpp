// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

void part(const k::array<float>& x) { auto v = x(k::range(2)); }
