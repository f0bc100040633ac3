// expect: or a std::tuple of them
#include <kiln/kiln.hpp>
namespace k = kiln;

auto both(const k::array<float>& x) {
    return k::fuse([](auto a) { return std::pair(a + 1, a); })(x);
}
