// expect: use of deleted function
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> y(4);
