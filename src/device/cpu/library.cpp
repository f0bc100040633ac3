// kiln/device/cpu/library: float32's functions, libm's and kiln's own, in the emitter's order.
#include <device/cpu/library.hpp>

#include <device/cpu/float32_functions.hpp>
#include <device/cpu/library_functions.hpp>
#include <device/cpu/thread_scratch.hpp>
#include <emit/library.hpp>
#include <process/thread_state.hpp>

#include <cmath>
#include <cstddef>

namespace kiln::backend {

namespace {

constexpr int words = emit::block_slot(emit::library_rows);

/// POSIX lets a function pointer be kept as void*.
template <class Function>
const void* pointer_to(Function* function) {
    return reinterpret_cast<const void*>(function);
}

// Of overloads, that of its type.
const void* double_of_1(double (*function)(double)) { return pointer_to(function); }
const void* double_of_2(double (*function)(double, double)) { return pointer_to(function); }

struct library_memory;

void* thread_memory(long long bytes) {
    return process::thread_state<thread_scratch, library_memory>().get(static_cast<std::size_t>(bytes));
}

struct library_words {
    explicit library_words(const void* streaming) {
        int row = 0;
        // libm's C functions, not std's overloads: those may be inline wrappers with one address per shared object.
#define KILN_FROM_libm(name) ::name
#define KILN_FROM_kiln(name) functions::name
#define KILN_EACH(name, arity, in_double, in_single) set(row++, double_of_##arity(KILN_FROM_##in_double(name)));
        KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
#undef KILN_FROM_libm
#undef KILN_FROM_kiln
        at[static_cast<int>(emit::library_function::count)] = streaming;
        at[emit::thread_memory_slot] = pointer_to(thread_memory);
    }
    void set(int row, const void* in_double) {
        const float32_function& single = float32_for_this_processor().rows[row];
        at[2 * row] = single.of_one ? pointer_to(single.of_one) : pointer_to(single.of_two);
        at[2 * row + 1] = in_double;
        at[emit::block_slot(row)] =
            single.block_of_one ? pointer_to(single.block_of_one) : pointer_to(single.block_of_two);
    }
    const void* at[words];
};

}  // namespace

const void* const* library_table(stores how) {
    static const library_words caching(nullptr);
    static const library_words streaming(reinterpret_cast<const void*>(streaming_store()));
    return how == stores::streamed ? streaming.at : caching.at;
}

}  // namespace kiln::backend
