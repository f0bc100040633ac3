// expect: random numbers need a seed
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<int> drawn() { return k::random::integers<int>({10}, 0, 6); }
