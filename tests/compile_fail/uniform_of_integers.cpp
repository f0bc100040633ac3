// expect: of integers k::random::integers<T>
#include <kiln/kiln.hpp>
namespace k = kiln;

auto dice() { return k::random::uniform<int>({6}, 1, 7, 3); }
