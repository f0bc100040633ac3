// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> y({2, 2});
