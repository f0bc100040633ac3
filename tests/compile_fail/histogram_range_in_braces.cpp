// expect: the range of a histogram is two numbers
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<std::int64_t> counts(const k::array<float>& x) { return k::histogram(x, 10, {0, 1}); }
