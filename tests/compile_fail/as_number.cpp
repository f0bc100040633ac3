// expect: 'float'
#include <kiln/kiln.hpp>
namespace k = kiln;

float total(const k::array<float>& x) { return k::sum(x); }
