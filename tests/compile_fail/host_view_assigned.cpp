// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// What k::transpose makes of a host array is read: = of two of them would write nothing.
#include <kiln/kiln.hpp>
namespace k = kiln;

void turned(k::host_array<float>& y, const k::host_array<float>& x) { k::transpose(y) = k::transpose(x); }
