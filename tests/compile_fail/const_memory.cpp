// expect: memory of const elements behind wrap() is read, never written
// Memory of const elements is read, never written.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(const float* memory, const k::array<float>& x) { k::wrap(memory, {3}) = x + x; }
