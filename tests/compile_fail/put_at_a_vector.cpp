// expect: positions are in an array: k::from_host(positions)
#include <kiln/kiln.hpp>
namespace k = kiln;

void written(k::array<float>& y, const std::vector<int>& at) { k::put(y, at, 1.0f); }
