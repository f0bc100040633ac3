// expect: a slice of a const array is read, never written
// A slice of an array that is const is read, never written.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(const k::array<float>& y) { y(k::range(0, 10)) = y(k::range(10, 20)) + 1.0f; }
