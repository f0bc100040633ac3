// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

void join(const k::array<float>& x) { auto c = k::concatenate({x, x}); }
