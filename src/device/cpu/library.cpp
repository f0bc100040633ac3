// kiln/device/cpu/library: the functions of float32 and float64, in the emitter's order.
#include <device/cpu/library.hpp>

#include <device/cpu/float32_functions.hpp>
#include <device/cpu/float64_functions.hpp>
#include <device/cpu/thread_scratch.hpp>
#include <emit/library.hpp>
#include <process/thread_state.hpp>

#include <cstddef>

namespace kiln::backend {

namespace {

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
        }
        at[static_cast<int>(emit::library_function::count)] = streaming;
        at[emit::thread_memory_slot] = pointer_to(thread_memory);
    }
    const void* at[emit::library_words];
};

}  // namespace

const void* const* library_table(stores how) {
    static const filled_table caching(nullptr);
    static const filled_table streaming(reinterpret_cast<const void*>(streaming_store()));
    return how == stores::streamed ? streaming.at : caching.at;
}

}  // namespace kiln::backend
