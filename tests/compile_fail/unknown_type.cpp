// expect: constraint
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<short> no_element_type;
