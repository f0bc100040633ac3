// expect: use of deleted function
#include <kiln/kiln.hpp>
namespace k = kiln;

void name(const k::array<float>& x) { k::label(x, "name"); }
