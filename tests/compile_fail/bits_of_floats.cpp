// expect: take integers and bool
#include <kiln/kiln.hpp>
namespace k = kiln;

auto masked(const k::array<float>& x, const k::array<int>& mask) { return x & mask; }
