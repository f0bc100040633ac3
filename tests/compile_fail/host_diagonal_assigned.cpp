// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// So is a diagonal.
#include <kiln/kiln.hpp>
namespace k = kiln;

void crossed(k::host_array<float>& y, const k::host_array<float>& x) { k::diagonal(y) = k::diagonal(x); }
