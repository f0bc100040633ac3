// expect: k::cast<int>(k::sum(n)): sums, counts and positions of integers are int64
#include <kiln/kiln.hpp>
namespace k = kiln;

void found(k::array<int>& at, const k::array<float>& x) { at = k::argmax(x); }
