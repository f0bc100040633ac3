// expect: what is to be assigned to is an array
#include <kiln/kiln.hpp>
namespace k = kiln;

void first_half() {
    auto y = k::zeros<float>({4});
    y(k::range(0, 2)) = 1.0f;
}
