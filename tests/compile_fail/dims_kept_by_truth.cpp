// expect: behind these k::keep_dims
#include <kiln/kiln.hpp>
namespace k = kiln;

auto spread(const k::array<float>& x) { return k::var(x, k::axis(1), true); }
