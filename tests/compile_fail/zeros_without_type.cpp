// expect: need a type: k::zeros<float>({2, 3})
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> made() { return k::zeros({3}); }
