// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// What k::transpose makes of an array is read.
#include <kiln/kiln.hpp>
namespace k = kiln;

void turned(k::array<float>& y, const k::array<float>& x) { k::transpose(y) = k::transpose(x); }
