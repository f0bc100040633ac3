// expect: vector<float
#include <kiln/kiln.hpp>
namespace k = kiln;

std::vector<float> copied(const k::array<float>& x) { return x; }
