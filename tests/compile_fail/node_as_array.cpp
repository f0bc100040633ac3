// expect: private
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> made(k::detail::handle<k::detail::array_node> node) { return k::array<float>(std::move(node)); }
