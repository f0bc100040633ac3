// expect: does not take so many arguments
#include <kiln/kiln.hpp>
namespace k = kiln;

auto f = k::fuse([](auto a, auto b) { return a + b; });
void call(const k::array<float>& x) { f(x); }
