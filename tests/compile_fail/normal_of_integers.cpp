// expect: normal is of floats
#include <kiln/kiln.hpp>
namespace k = kiln;

auto drawn() { return k::random::normal<int>({6}, 3); }
