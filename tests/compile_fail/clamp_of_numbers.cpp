// expect: of plain numbers alone std::sqrt, std::max and their like are
#include <kiln/kiln.hpp>
namespace k = kiln;

int between(int a) { return k::clamp(a, 0, 1); }
