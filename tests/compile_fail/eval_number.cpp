// expect: deleted
#include <kiln/kiln.hpp>
namespace k = kiln;

void one() { k::eval(1); }
