// expect: wrap of a pointer takes a shape
#include <kiln/kiln.hpp>
namespace k = kiln;

auto doubled(std::vector<float>& v) { return k::wrap(v.data()); }
