// expect: several distances are along axes that are named: roll(m, {1, 2}, k::axes(0, 1))
#include <kiln/kiln.hpp>
namespace k = kiln;

auto rolled(const k::array<float>& m) { return k::roll(m, {1, 2}); }
