// expect: of plain numbers alone std::sqrt, std::max and their like are
#include <kiln/kiln.hpp>
namespace k = kiln;

double chosen(bool first) { return k::where(first, 1.0, 2.0); }
