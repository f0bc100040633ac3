// expect: from_host takes elements of T as they stand in memory
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> copied(const std::vector<std::string>& words) { return k::from_host<float>(words, {3}); }
