// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// A view of a stored expression is another expression, which goes at the end of the line.
#include <kiln/kiln.hpp>
namespace k = kiln;

void turned(k::expr<float>& y, const k::expr<float>& x) { k::transpose(y) = k::transpose(x); }
