// kiln/plan/byte_tables: bodies of one element of a byte, which have 256 results. On CUDA each block first makes them all, a value a
// thread, and then looks up what each element's is: gamma correction of 134M bytes takes an H100 a copy's time so, and four times
// that by pow of each. On the CPU each thread does so for all of its elements. Of an element of 16 bits there are 65,536, which all threads
// of the CPU make together at the begin of a launch of many more elements (device/cpu/result_table.hpp).
// in: a kernel whose operands are known   out: whether it pays   knows nothing of: nests
#pragma once

#include <lower/program.hpp>
#include <plan/schedule.hpp>

namespace kiln::plan {

inline constexpr int values_of_a_byte = 256;
inline constexpr int values_of_two_bytes = 65536;

/// Of a kernel of elements, by its body: whether looking up takes less than computing.
bool gains_from_table(const lower::program& program, const kernel& of, frame on);

/// Of a kernel of the host that makes one array of another: whether looking up what 16 bits give takes less than computing.
bool gains_from_large_table(const lower::program& program, const kernel& of);

/// The same of a body that takes beside the byte what is the same for a whole row, of long rows whose elements would move one by one.
bool gains_from_row_tables(const lower::program& program, const kernel& of);
/// Which input says what is looked up.
std::size_t looked_up_in_table(const kernel& of);

/// Of the kernel as it was mapped: whether a block has enough elements to look up.
bool has_enough_for_table(const kernel& of);

}  // namespace kiln::plan
