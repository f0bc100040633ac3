// expect: the body of a graph takes nothing
#include <kiln/kiln.hpp>
namespace k = kiln;

k::graph step(k::array<float>& x) {
    return k::graph({&x}, [](k::array<float> y) { y = y + 1.0f; });
}
