// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

void name(const k::array<float>& x) { k::label(x, "name"); }
