// expect: assigning to a narrower type needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void halved(k::array<std::int32_t>& counts) { counts *= 0.5; }
