// expect: linspace is of floats
#include <kiln/kiln.hpp>
namespace k = kiln;

auto steps() { return k::linspace(0, 1, 5); }
