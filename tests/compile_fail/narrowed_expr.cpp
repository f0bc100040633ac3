// expect: an expr of a narrower type needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

k::expr<std::uint8_t> narrowed(const k::array<std::int64_t>& x) { return k::expr<std::uint8_t>(x + 1); }
