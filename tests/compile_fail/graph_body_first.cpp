// expect: a graph is made of the addresses of its arrays, in braces, and then its body
#include <kiln/kiln.hpp>
namespace k = kiln;

void step(k::array<float>& x) {
    k::graph never([&] { x = x + 1; }, &x);
}
