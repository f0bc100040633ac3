// expect: an expr of a type that is narrower, or signed where the other is not, needs k::cast
#include <kiln/kiln.hpp>
namespace k = kiln;

k::expr<std::uint8_t> narrowed(const k::array<std::int64_t>& x) { return k::expr<std::uint8_t>(x + 1); }
