// expect: assigning to a type that is narrower, or signed where the other is not, needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void halved(k::array<std::int32_t>& counts) { counts *= 0.5; }
