// expect: y(mask) is written, never read
// The other mask chooses other elements.
#include <kiln/kiln.hpp>
namespace k = kiln;

void chosen(float* y, float* x, const k::expr<bool>& mask) { k::wrap(y, {4})(mask) = k::wrap(x, {4})(mask); }
