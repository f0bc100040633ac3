// expect: a slice of a const array is read, never written
// A slice of a host array that is const is read.
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(const k::host_array<float>& y) { y(0) = y(1); }
