// expect: functions are no members
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> most(const k::array<float>& x) { return x.max(0); }
