// expect: the constant does not fit
#include <cstdint>
#include <kiln/kiln.hpp>
namespace k = kiln;

auto added(const k::array<std::uint8_t>& x) { return x + k::constant<300>; }
