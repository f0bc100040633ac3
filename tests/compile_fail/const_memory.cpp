// expect: is_const_v
// Memory of const elements is read, never written.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(const float* memory, const k::array<float>& x) { k::wrap(memory, {3}) = x + x; }
