// expect: needs k::cast<T>(argument)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto called(const k::array<double>& x) { return k::function<float(float)>("f", {"a"}, "return a;")(x); }
