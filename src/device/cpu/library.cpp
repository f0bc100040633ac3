// kiln/device/cpu/library: libm's functions and kiln's own, in the emitter's order.
#include <device/cpu/library.hpp>

#include <device/cpu/library_functions.hpp>
#include <device/cpu/thread_scratch.hpp>
#include <emit/library.hpp>
#include <process/thread_state.hpp>

#include <cmath>
#include <cstddef>

namespace kiln::backend {

namespace {

template <int arity, class T>
struct signature;
template <class T>
struct signature<1, T> {
    using type = T (*)(T);
};
template <class T>
struct signature<2, T> {
    using type = T (*)(T, T);
};

/// Picks the overload of its type. POSIX lets a function pointer be kept as void*.
template <int arity, class T>
const void* pointer_to(typename signature<arity, T>::type function) {
    return reinterpret_cast<const void*>(function);
}

struct library_memory;

void* thread_memory(long long bytes) {
    return process::thread_state<thread_scratch, library_memory>().get(static_cast<std::size_t>(bytes));
}

}  // namespace

const void* const* library_table(stores how) {
    // libm's C functions, not std::'s overloads: those may be inline wrappers with one address per shared object.
#define KILN_FROM_libm(name) ::name
#define KILN_FROM_kiln(name) functions::name
#define KILN_EACH(name, arity, who) \
    pointer_to<arity, float>(KILN_FROM_##who(name##f)), pointer_to<arity, double>(KILN_FROM_##who(name)),
    static const void* const memory = reinterpret_cast<const void*>(&thread_memory);
    static const void* const caching[] = {KILN_LIBRARY_FUNCTIONS(KILN_EACH) nullptr, memory};
    static const void* const streaming[] = {
        KILN_LIBRARY_FUNCTIONS(KILN_EACH) reinterpret_cast<const void*>(streaming_store()), memory};
#undef KILN_EACH
#undef KILN_FROM_libm
#undef KILN_FROM_kiln
    static_assert(sizeof(caching) / sizeof(*caching) == static_cast<std::size_t>(emit::thread_memory_slot) + 1);
    return how == stores::streamed ? streaming : caching;
}

}  // namespace kiln::backend
