// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

void part(const k::array<float>& m) { auto v = m(k::all, {0, 2}); }
