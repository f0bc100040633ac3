// expect: y(mask) is written, never read
#include <kiln/kiln.hpp>
namespace k = kiln;

void total(k::array<float>& y) { k::sum(y(y > 0.0f)); }
