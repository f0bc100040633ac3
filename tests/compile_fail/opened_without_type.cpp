// expect: need a type: k::zeros<float>({2, 3})
#include <kiln/kiln.hpp>
namespace k = kiln;

void read() { auto x = k::open_npy("x.npy"); }
