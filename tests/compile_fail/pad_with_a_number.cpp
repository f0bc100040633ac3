// expect: k::boundary::constant(5.0f)
#include <kiln/kiln.hpp>
namespace k = kiln;

auto framed(const k::array<float>& m) { return k::pad(m, {{1, 1}, {2, 2}}, 5.0f); }
