// expect: k::real(z), k::imag(z) or k::abs(z)
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> real_part(const k::array<std::complex<float>>& z) { return z * z; }
