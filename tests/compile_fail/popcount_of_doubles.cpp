// expect: take integers and bool
#include <kiln/kiln.hpp>
namespace k = kiln;

auto counted(const k::array<double>& x) { return k::popcount(x); }
