// expect: cast
// What is reduced must be of the reduction's type.
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> most(const k::array<int>& x) { return k::reduction<float>(0, "a", "b", "return a < b ? b : a;")(x); }
