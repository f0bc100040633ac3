// expect: deleted function
#include <kiln/kiln.hpp>
namespace k = kiln;

void saved(const k::array<float>& x) { k::save_npy(x, "x.npy"); }
