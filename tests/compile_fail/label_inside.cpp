// expect: a label names a whole evaluation
#include <kiln/kiln.hpp>

namespace k = kiln;

int main() {
    const k::array<float> x = k::ones<float>({3});
    const k::array<float> y = k::label("l", x) + 1;
}
