// expect: assigning to a narrower type needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void narrowed(k::array<std::int32_t>& y, const k::array<double>& x) { y(k::range(0, 3)) = x(k::range(0, 3)) * 2.0; }
