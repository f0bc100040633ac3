// expect: assigning to a type that is narrower, or signed where the other is not, needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void narrowed(k::array<std::int32_t>& y, const k::array<double>& x) { y(k::range(0, 3)) = x(k::range(0, 3)) * 2.0; }
