// expect: functions are no members
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> wide(const k::array<float>& x) { return x.reshape({2, 3}); }
