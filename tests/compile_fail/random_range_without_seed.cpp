// expect: random numbers need a seed
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<double> drawn() { return k::random::normal<double>({10}, 0.0, 1.0); }
