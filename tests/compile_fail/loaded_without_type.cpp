// expect: need a type: k::zeros<float>({2, 3})
#include <kiln/kiln.hpp>
namespace k = kiln;

void read() { k::array<float> x = k::load_npy("x.npy"); }
