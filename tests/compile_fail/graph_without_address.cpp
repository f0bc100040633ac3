// expect: a graph carries arrays by their addresses
#include <kiln/kiln.hpp>
namespace k = kiln;

k::graph step(k::array<float>& x) {
    return k::graph({x}, [&] { x = x + 1.0f; });
}
