// expect: what is assigned to is an array, or a slice of one where it is made
// A diagonal is read; k::where(k::index(0) == k::index(1), 1, y) has another.
#include <kiln/kiln.hpp>
namespace k = kiln;

void crossed(k::array<float>& y) { k::diagonal(y) = 1.0f; }
