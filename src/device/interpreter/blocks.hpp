// kiln/device/interpreter/blocks: the functions that do one step of a program on one block of elements.
// in: nothing   out: a table of functions by operation and type, for this processor   knows nothing of: programs
//
// The same file is compiled for several instruction sets, and the best that the processor has is picked at run time. So
// this header must declare nothing that such a file could define again for everybody: no inline functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kiln::backend {

/// out[i] = operation(a[i], b[i], c[i]) for i in [0, count); operands past the arity are not looked at. `out` may be
/// the same memory as an operand of its width, element for element. `library`: device/cpu/library.hpp.
using block_function = void (*)(void* out, const void* a, const void* b, const void* c, std::ptrdiff_t count,
                                const void* const* library);

enum : int {
    block_operation_count = 0
#define KILN_OPERATION(name, arity, rule, complex_, floating, integer, logical) +1
#include <kiln/operation_table.def>
    ,
    block_type_count = 0
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) +1
#include <kiln/element_type.def>
};

struct block_table {
    const char* instruction_set;  // "AVX-512"
    /// By operation and the type that its operands meet in; nullptr where the rule never produces that type.
    block_function operations[block_operation_count][block_type_count];
    block_function casts[block_type_count][block_type_count];  // from, to
    void (*fill_index)(std::int64_t* out, std::int64_t first, std::ptrdiff_t count);
};

// nullptr: this build was not compiled for it.
extern const block_table* const blocks_baseline;
extern const block_table* const blocks_avx2;
extern const block_table* const blocks_avx512;

/// The best of them for this processor.
const block_table& blocks_for_this_processor();
/// One of them: `name` is "avx512", "avx2" or "baseline". nullptr when the processor or the
/// build has no such table. The tests hold all of them against each other.
const block_table* blocks_named(const char* name);

}  // namespace kiln::backend
