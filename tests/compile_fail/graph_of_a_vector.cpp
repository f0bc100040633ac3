// expect: a graph carries k::arrays
#include <kiln/kiln.hpp>
namespace k = kiln;

void step(std::vector<float>& x) {
    k::graph never({&x}, [] {});
}
