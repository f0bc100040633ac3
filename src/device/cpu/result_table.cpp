#include <device/cpu/result_table.hpp>

#include <device/cpu/thread_scratch.hpp>
#include <process/thread_state.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::backend {

namespace {

using two_bytes = std::uint16_t;  // of the operand, by its bits

constexpr std::int64_t values = plan::values_of_two_bytes;
// What a thread makes of the table at least, and elements that are worth its waking: 13 us (cost.cpp), an element looked up in 0.5 ns.
constexpr std::int64_t values_grain = 4096;
constexpr std::int64_t elements_grain = 32768;

struct table_memory;

// Written out: six instructions otherwise, which take 1.4 times as long where they lie across two lines of code (EPYC, Zen 4, 2026-11).
template <class Result>
void look_up(const Result* results, const two_bytes* from, Result* to, std::int64_t count, store_function streams) {
    if (!streams) {
#pragma GCC unroll 8
        for (std::int64_t i = 0; i < count; ++i) to[i] = results[from[i]];
        return;
    }
    constexpr std::int64_t most = 4096 / sizeof(Result);
    alignas(64) Result block[most];
    for (std::int64_t first = 0; first < count; first += most) {
        const std::int64_t length = std::min(most, count - first);
#pragma GCC unroll 8
        for (std::int64_t i = 0; i < length; ++i) block[i] = results[from[first + i]];
        streams(to + first, block, static_cast<long long>(sizeof(Result)) * length);
    }
}

/// By the bytes of a result.
using look_up_function = void (*)(const std::byte* table, const two_bytes* from, std::byte* to, std::int64_t begin,
                                  std::int64_t end, store_function streams);
template <class Result>
void look_up_range(const std::byte* table, const two_bytes* from, std::byte* to, std::int64_t begin, std::int64_t end,
                   store_function streams) {
    look_up(reinterpret_cast<const Result*>(table), from + begin, reinterpret_cast<Result*>(to) + begin, end - begin,
            streams);
}
look_up_function look_up_of(int result_bytes) {
    switch (result_bytes) {
        case 1: return look_up_range<std::uint8_t>;
        case 2: return look_up_range<std::uint16_t>;
        case 4: return look_up_range<std::uint32_t>;
        case 8: return look_up_range<std::uint64_t>;
        default: return look_up_range<std::complex<double>>;
    }
}

}  // namespace

void look_up_on_host(const cpu_kernel& kernel, const launch_arguments& arguments, stores how, thread_pool& threads) {
    const std::size_t table_bytes = static_cast<std::size_t>(values) * static_cast<std::size_t>(kernel.result_bytes());
    std::byte* const table =
        process::thread_state<thread_scratch, table_memory>().get(table_bytes + values * sizeof(two_bytes));
    auto* const all = reinterpret_cast<two_bytes*>(table + table_bytes);

    void** const given = arguments.parameters;
    const auto input = static_cast<std::size_t>(plan::find_parameter(kernel.parameters(), plan::role::input));
    const std::size_t output = kernel.output_parameter(0);
    std::vector<void*> parameters(given, given + kernel.parameters().size());
    void* places[] = {all, table};
    parameters[input] = &places[0];
    parameters[output] = &places[1];
    threads.parallel_for(values, values_grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t value = begin; value < end; ++value) all[value] = static_cast<two_bytes>(value);
        kernel.run(parameters.data(), begin, end, stores::cached);
    });

    const auto* const from = *static_cast<const two_bytes* const*>(given[input]);
    auto* const to = *static_cast<std::byte* const*>(given[output]);
    const look_up_function look_up_elements = look_up_of(kernel.result_bytes());
    const store_function streams = how == stores::streamed ? streaming_store() : nullptr;
    threads.parallel_for_pieces(arguments.element_count, elements_grain, [&](std::int64_t begin, std::int64_t end) {
        look_up_elements(table, from, to, begin, end, streams);
        if (streams) finish_streaming();
    });
}

}  // namespace kiln::backend
