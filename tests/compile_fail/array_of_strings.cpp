// expect: element
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<std::string> words;
