// expect: what_is_assigned_to_is_an_array_or_a_slice_where_it_is_made
// most lines: 17
// Two for the type of the expression: it is its operand that cannot be assigned to.
// Nor is what is computed of it a place.
#include <kiln/kiln.hpp>
namespace k = kiln;

void added(k::host_array<float>& y) { -y = -y; }
