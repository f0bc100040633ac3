// expect: what is to be assigned to is an array
#include <kiln/kiln.hpp>
namespace k = kiln;

void count_up() {
    auto y = k::zeros<float>({4});
    y += 1;
}
