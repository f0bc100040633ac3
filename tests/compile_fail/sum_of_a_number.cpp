// expect: of plain numbers alone std::sqrt, std::max and their like are
#include <kiln/kiln.hpp>
namespace k = kiln;

double total() { return k::sum(2.0); }
