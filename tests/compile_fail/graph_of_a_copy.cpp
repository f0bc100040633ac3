// expect: this array is const, as a copy is that a lambda captured
#include <kiln/kiln.hpp>
namespace k = kiln;

k::graph step(k::array<float>& x) {
    return k::graph({&x}, [x] { x = x + 1.0f; });
}
