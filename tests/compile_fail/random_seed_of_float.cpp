// expect: a seed is an integer
#include <kiln/kiln.hpp>
namespace k = kiln;

auto drawn(const k::array<float>& seed) { return k::random::normal<float>({10}, seed); }
