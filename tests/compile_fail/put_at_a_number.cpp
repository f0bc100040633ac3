// expect: at one, y(3) = value writes
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(k::array<float>& y) { k::put(y, 3, 1.0f); }
