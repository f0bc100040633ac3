// expect: extents and axes are lists: zeros<float>({2, 3})
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> made() { return k::zeros<float>(3, 4); }
