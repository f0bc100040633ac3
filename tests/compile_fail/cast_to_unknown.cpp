// expect: cast to a type that arrays can have
#include <kiln/kiln.hpp>
namespace k = kiln;

auto wide(const k::array<float>& x) { return k::cast<long double>(x); }
