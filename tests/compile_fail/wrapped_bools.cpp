// expect: a std::vector<bool> has bits: k::from_host copies it
#include <kiln/kiln.hpp>
namespace k = kiln;

void filled(std::vector<bool>& flags) { k::wrap(flags) = true; }
