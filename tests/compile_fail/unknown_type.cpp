// expect: constraint
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<long double> no_element_type;
