// expect: cast
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> narrowed(const k::array<double>& x) {
    k::array<float> y = x + x;
    return y;
}
