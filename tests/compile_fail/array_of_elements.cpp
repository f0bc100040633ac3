// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> y{1.0f, 2.0f, 3.0f};
