// expect: of floats k::random::uniform<T>
#include <kiln/kiln.hpp>
namespace k = kiln;

auto drawn() { return k::random::integers<float>({6}, 0, 1, 3); }
