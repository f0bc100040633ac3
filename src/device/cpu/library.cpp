// kiln/device/cpu/library: the functions of all floating types, in the emitter's order.
#include <device/cpu/library.hpp>

#include <device/cpu/float16_functions.hpp>
#include <device/cpu/float32_functions.hpp>
#include <device/cpu/float64_functions.hpp>
#include <device/cpu/host_reducer.hpp>
#include <device/cpu/row_moves.hpp>
#include <device/cpu/thread_scratch.hpp>
#include <emit/library.hpp>
#include <process/thread_state.hpp>

#include <bit>
#include <cstddef>

namespace kiln::backend {

namespace {

using detail::reduction_kind;

/// POSIX lets a function pointer be kept as void*.
template <class Function>
const void* pointer_to(Function* function) {
    return reinterpret_cast<const void*>(function);
}

template <class Functions>
const void* of_element(const Functions& of) {
    return of.of_one ? pointer_to(of.of_one) : pointer_to(of.of_two);
}
template <class Functions>
const void* of_block(const Functions& of) {
    return of.block_of_one ? pointer_to(of.block_of_one) : pointer_to(of.block_of_two);
}

struct library_memory;

void* thread_memory(long long bytes) {
    return process::thread_state<thread_scratch, library_memory>().get(static_cast<std::size_t>(bytes));
}

struct filled_table {
    explicit filled_table(const void* streaming) {
        for (int row = 0; row < emit::library_rows; ++row) {
            const float32_function& single = float32_for_this_processor().rows[row];
            const float64_function& wide = float64_for_this_processor().rows[row];
            at[2 * row] = of_element(single);
            at[2 * row + 1] = of_element(wide);
            at[emit::block_slot(row, emit::precision::float32)] = of_block(single);
            at[emit::block_slot(row, emit::precision::float64)] = of_block(wide);
            for (const element_type small : {element_type::float16, element_type::bfloat16}) {
                const small_function of = function_of_small(row, small);
                at[emit::small_slot(row, emit::form::of_element, small)] = of_element(of);
                at[emit::small_slot(row, emit::form::of_block, small)] = of_block(of);
            }
        }
        at[static_cast<int>(emit::library_function::count)] = streaming;
        at[emit::thread_memory_slot] = pointer_to(thread_memory);
        for (int what = 1; what < static_cast<int>(reduction_kind::user); ++what)
            for (int type = 0; type < element_type_count; ++type)
                fill_run(static_cast<reduction_kind>(what), static_cast<element_type>(type));
        for (const int bytes : {1, 2, 4, 8, 16}) fill_moves(bytes);
        for (const element_type small : {element_type::float16, element_type::bfloat16})
            at[emit::widen_slot(small)] = pointer_to(widening_of(small));
    }
    void fill_moves(int bytes) {
        const row_moves& moves = row_moves_for_this_processor().of[std::countr_zero(static_cast<unsigned>(bytes))];
        at[emit::move_slot(emit::row_move::copy, bytes)] = pointer_to(moves.copy);
        at[emit::move_slot(emit::row_move::gather, bytes)] = pointer_to(moves.gather);
        at[emit::move_slot(emit::row_move::spread, bytes)] = pointer_to(moves.spread);
        at[emit::move_slot(emit::row_move::repeat, bytes)] = pointer_to(moves.repeat);
        at[emit::move_slot(emit::row_move::turn, bytes)] = pointer_to(moves.turn);
    }
    void fill_run(reduction_kind what, element_type type) {
        const bool is_accumulated = detail::accumulated_type(what, type) == type;
        if (!is_accumulated) return;
        const host_reducer& by = reducer_for({what, type, type});
        if (const auto run = by.run()) at[emit::run_slot(what, type)] = pointer_to(run);
        if (const auto rows = by.rows()) at[emit::rows_slot(what, type)] = pointer_to(rows);
    }

    const void* at[emit::library_words] = {};
};

}  // namespace

const void* const* library_table(stores how) {
    static const filled_table caching(nullptr);
    static const filled_table streaming(reinterpret_cast<const void*>(streaming_store()));
    return how == stores::streamed ? streaming.at : caching.at;
}

}  // namespace kiln::backend
