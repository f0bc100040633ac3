// expect: random numbers need a type
#include <kiln/kiln.hpp>
namespace k = kiln;

auto drawn() { return k::random::uniform({10}, 7); }
