// expect: no order
// Complex numbers have no order.
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<bool> compared(const k::array<std::complex<float>>& x) { return x < x; }
