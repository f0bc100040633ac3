// expect: putting into a type that is narrower, or signed where the other is not, needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void narrowed(k::array<float>& y, const k::array<int>& index, const k::array<double>& x) { k::put(y, index, x); }
