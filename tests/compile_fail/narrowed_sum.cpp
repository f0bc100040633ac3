// expect: k::cast<int>(k::sum(n)): sums, counts and positions of integers are int64
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<int> total(const k::array<int>& n) { return k::sum(n); }
