// expect: random numbers need a seed
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<bool> drawn() { return k::random::bernoulli({10}, 0.5); }
