// expect: k::from_host makes arrays of others
#include <kiln/kiln.hpp>
namespace k = kiln;

auto chosen(const k::array<float>& x, const std::vector<float>& y) { return k::where(true, x, y); }
