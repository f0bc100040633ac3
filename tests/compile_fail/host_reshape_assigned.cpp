// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// And elements in another shape.
#include <kiln/kiln.hpp>
namespace k = kiln;

void flat(k::host_array<float>& y, const k::host_array<float>& x) { k::reshape(y, {12}) = k::reshape(x, {12}); }
