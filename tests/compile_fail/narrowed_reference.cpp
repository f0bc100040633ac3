// expect: assigning to a floating type that does not hold the other's numbers needs k::cast<T>(expression)
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(float* memory, const k::array<double>& x) { k::wrap(memory, {3}) = x; }
