// expect: wrap refers to elements of types that arrays have
#include <kiln/kiln.hpp>

#include <string>
#include <vector>
namespace k = kiln;

void filled(std::vector<std::string>& names) { k::wrap(names); }
