// expect: wrap takes a pointer
#include <kiln/kiln.hpp>
namespace k = kiln;

void filled(std::vector<float>& v) { k::wrap(v, {3}) = 1.0f; }
