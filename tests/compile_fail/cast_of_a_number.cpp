// expect: of a number it is static_cast<T>(number)
#include <kiln/kiln.hpp>
namespace k = kiln;

float narrowed(double x) { return k::cast<float>(x); }
