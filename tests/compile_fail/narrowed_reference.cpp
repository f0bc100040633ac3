// expect: assigning to a type that is narrower, or signed where the other is not, needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(float* memory, const k::array<double>& x) { k::wrap(memory, {3}) = x; }
