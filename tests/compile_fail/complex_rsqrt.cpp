// expect: OPERATIONS.md lists
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<std::complex<float>> inverse_root(const k::array<std::complex<float>>& z) { return k::rsqrt(z); }
