// expect: y(mask) is written, never read
#include <kiln/kiln.hpp>
namespace k = kiln;

void chosen(k::array<float>& y) { y = y(y > 0.0f); }
