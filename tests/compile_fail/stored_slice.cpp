// expect: a stored slice holds values
// A stored slice is an expression and holds values: only a temporary one is a target.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(k::array<float>& y) {
    auto head = y(k::range(0, 10));
    head = y + 1.0f;
}
