// expect: say real(), imag() or abs()
// A cast to real would drop the imaginary part.
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> parts(const k::array<std::complex<float>>& x) { return k::cast<float>(x); }
