// expect: functions are no members
#include <kiln/kiln.hpp>
namespace k = kiln;

auto total(const k::array<float>& x) { return x.sum(); }
