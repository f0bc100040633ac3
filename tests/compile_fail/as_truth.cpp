// expect: 'bool'
#include <kiln/kiln.hpp>
namespace k = kiln;

bool same(const k::array<float>& x) { return x == x ? true : false; }
