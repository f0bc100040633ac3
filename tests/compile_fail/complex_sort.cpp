// expect: no order
// Nor can they be sorted.
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<std::complex<float>> sorted(const k::array<std::complex<float>>& x) { return k::sort(x); }
