// expect: putting into a narrower type needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

void narrowed(k::array<float>& y, const k::array<int>& index, const k::array<double>& x) { k::put(y, index, x); }
