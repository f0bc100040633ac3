// expect: signed where the other is not
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<std::int64_t> running(const k::array<std::uint8_t>& x) { return k::cumsum(x, k::axis(0)); }
