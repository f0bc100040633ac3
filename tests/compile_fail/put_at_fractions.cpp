// expect: positions are integers
#include <kiln/kiln.hpp>
namespace k = kiln;

void at(k::array<float>& x) { k::put(x, x, x); }
