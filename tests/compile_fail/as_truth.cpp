// expect: deleted function
// The compiler quotes the line that deletes it, and so what to write: k::all(e).item().
#include <kiln/kiln.hpp>
namespace k = kiln;

bool same(const k::array<float>& x) { return x == x ? true : false; }
