// expect: random numbers need a seed
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> drawn() { return k::random::uniform<float>({10, 3}); }
