// expect: y(mask) is written, never read
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> chosen(k::array<float>& x) {
    k::array<float> y = x(x > 0.0f);
    return y;
}
