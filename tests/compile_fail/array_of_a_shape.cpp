// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> of(const k::shape& extents) { return k::array<float>(extents); }
