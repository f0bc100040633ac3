// expect: without braces: k::concatenate(k::axis(0), x, y)
#include <kiln/kiln.hpp>
namespace k = kiln;

void join(const k::array<float>& x) { auto c = k::concatenate({x, x}); }
