// expect: by their addresses, that may be assigned to
#include <kiln/kiln.hpp>
namespace k = kiln;

void step(const k::array<float>& x) {
    k::graph never({&x}, [] {});
}
