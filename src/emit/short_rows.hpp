// kiln/emit/short_rows: a range of elements on the host where rows are too short for a loop each: colours of an image,
// points of three coordinates. Chunks of many rows: operands that are not contiguous are first brought into the chunk's
// order, into buffers in the first cache; then one loop goes over all its elements as if every operand were contiguous.
// Where rows are as the elements are, but further along, they are read in place; and where an operand is an element for each
// row, of an extent that the kernel knows, it goes to registers, a block of rows at a time.
// in: a kernel of short rows   out: statements   knows nothing of: what an element's computation is
#pragma once

#include <emit/address.hpp>
#include <emit/body.hpp>
#include <emit/host_rows.hpp>

#include <string>

namespace kiln::emit {

/// Statements that compute elements [begin, end).
std::string short_rows(const plan::kernel& of, const value_names& names, const address_text& addresses,
                       const host_rows& rows);

}  // namespace kiln::emit
