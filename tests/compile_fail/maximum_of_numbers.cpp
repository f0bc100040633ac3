// expect: of plain numbers alone std::sqrt, std::max and their like are
#include <kiln/kiln.hpp>
namespace k = kiln;

int larger(int a, int b) { return k::max(a, b); }
