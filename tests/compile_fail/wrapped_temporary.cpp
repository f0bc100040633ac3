// expect: these go at the end of the line
#include <kiln/kiln.hpp>
namespace k = kiln;

std::vector<float> made();
auto doubled() { return k::wrap(made()); }
