// expect: need a type: k::zeros<float>({2, 3})
#include <kiln/kiln.hpp>
namespace k = kiln;

void write() { auto x = k::edit_npy("x.npy"); }
