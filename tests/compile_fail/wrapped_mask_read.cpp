// expect: y(mask) is written, never read
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> picked(std::vector<float>& v) { return k::wrap(v)(k::wrap(v) > 0.0f); }
