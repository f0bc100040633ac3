// expect: behind these k::keep_dims
#include <kiln/kiln.hpp>
namespace k = kiln;

auto middle(const k::array<float>& x) { return k::mean(x, k::keep_dims, k::axis(1)); }
