// expect: assigning to a narrower type needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(float* memory, const k::array<double>& x) { k::wrap(memory, {3}) = x; }
