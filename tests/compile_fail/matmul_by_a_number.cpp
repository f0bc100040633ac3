// expect: deleted function
#include <kiln/kiln.hpp>
namespace k = kiln;

auto made(const k::array<float>& x) { return k::matmul(x, 2); }
