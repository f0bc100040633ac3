// expect: what is assigned to is an array, or a slice of one where it is made
// The right side may be of any type.
#include <kiln/kiln.hpp>
namespace k = kiln;

void turned(k::host_array<float>& y) { k::transpose(y) = y + 1.0f; }
