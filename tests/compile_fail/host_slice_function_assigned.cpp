// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// k::slice makes an expression; y(k::range(0, 10)) is a target.
#include <kiln/kiln.hpp>
namespace k = kiln;

void head(k::host_array<float>& y, const k::host_array<float>& x) {
    k::slice(y, k::range(0, 10)) = k::slice(x, k::range(0, 10));
}
