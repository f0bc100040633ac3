// expect: functions are no members
#include <kiln/kiln.hpp>
namespace k = kiln;

auto exact(const k::array<float>& x) { return x.astype<double>(); }
