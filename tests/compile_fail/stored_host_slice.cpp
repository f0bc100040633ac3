// expect: a stored slice is read
// A stored slice of a host array is an expression: only a temporary one is a target.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(k::host_array<float>& y) {
    auto head = y(0);
    head = y(1);
}
