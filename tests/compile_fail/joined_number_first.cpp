// expect: what is put together is arrays and expressions
#include <kiln/kiln.hpp>
namespace k = kiln;

void join(const k::array<float>& x) { k::concatenate(3.0f, x); }
