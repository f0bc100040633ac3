// expect: random numbers need a type
#include <kiln/kiln.hpp>
namespace k = kiln;

auto drawn() { return k::random::integers({10}, 0, 6, 7); }
