// kiln/cost: what evaluations cost. Counting is always on; explain() says what one would cost before it is paid.
#pragma once

#include <kiln/evaluate.hpp>
#include <kiln/export.hpp>
#include <kiln/rates.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline v0_1 {

/// Totals of the process since its start. Times are host nanoseconds and include no other: compile is not in launch, load
/// is not in compile.
struct counters {
#define KILN_COUNTER(name, unit, what) std::int64_t name = 0;
#include <kiln/counter_table.def>

    /// All threads' counts. Those of other threads may lag behind by the call they are in.
    KILN_API static counters now();
    KILN_API friend counters operator-(const counters& later, const counters& earlier);
    friend bool operator==(const counters&, const counters&) = default;
};

KILN_API std::string to_string(const counters& counts);

/// Where a kernel comes from. built_in: scans, sorts and segments on the CPU are part of kiln.
enum class kernel_origin : std::uint8_t { memory, disk, compile, interpreter, library, built_in };
KILN_API const char* to_string(kernel_origin origin) noexcept;

struct kernel_explanation {
    std::string name;        // as a profiler shows it: "kiln_add4_f32_v4"
    std::string expression;  // "x0 + x0 + x0"
    std::string cut;     // where and why the rest is in another kernel: "after step 448 of 999: ..."; empty: the last
    std::string source;  // CUDA or host C++, complete; empty where nothing is compiled
    std::string nest;    // its loops, what runs them, and what is done in them
    std::string target;  // "sm_90"
    std::string cache_key;  // 32 hexadecimal digits, as kiln-cache lists them; empty where nothing is compiled
    kernel_origin origin = kernel_origin::compile;
    /// Why it is to be compiled, or was by this process: "stored by another compiler: NVRTC 12.9 -> NVRTC 13.0". Empty for
    /// one that was found.
    std::string why;
    std::int64_t bytes_read = 0;  // each element once
    std::int64_t bytes_written = 0;
    std::int64_t operation_count = 0;  // steps times elements
    int elements_per_thread = 1;
    std::int64_t block_count = 0;
    int threads_per_block = 0;
    std::int64_t element_count = 0;  // of the iteration
    kernel_work work;                // for each of them
    /// Where the device's rates are known (k::measure()): the least time on the device, and what holds it up.
    predicted_time predicted;
    /// On the device: what the last such run took that a k::profile saw, of as many bytes. 0: none was seen.
    double measured_ns = 0;
};

/// How an expression of host arrays is cut (host_array.hpp), as it would be now.
struct chunk_explanation {
    std::int64_t count = 0;  // chunks; 0: it is not evaluated in chunks
    int axis = -1;  // along which it is cut; of a sum over all axes, of its elements in a row; -1: in one piece
    std::int64_t positions = 0;     // on that axis, of each chunk but the last
    std::int64_t bytes_in = 0;      // to the device, or from files, all in all
    std::int64_t bytes_out = 0;     // of the result, which leave the device again where it is a host array
    std::int64_t device_bytes = 0;  // the most that chunks take of the device's memory, the result in it
    std::string why_whole;          // of what is not cut: "along axis 0: cumsum is along that axis of shape (10,)"
    // Where the device's rates are known (k::measure()), of all chunks; the result is one that leaves the device.
    double copy_in_ns = 0;
    double kernels_ns = 0;
    double copy_out_ns = 0;
    double hidden_ns = 0;  // of these: what is done beside others, so that it takes no time of its own
};

struct explanation {
    std::vector<kernel_explanation> kernels;  // in launch order; of an expression in chunks as of one piece
    chunk_explanation chunks;
    std::int64_t temporary_bytes = 0;  // of what passes from kernel to kernel
    std::int64_t operand_bytes = 0;    // of the arrays that it reads
    std::int64_t pinned_bytes = 0;     // of them: wrapped memory of the host that is page-locked
};

KILN_API std::string to_string(const explanation& plan);

namespace detail {
KILN_API explanation explain(expression_cache& of, const leaf* leaves, int leaf_count, int output_count);
KILN_API explanation explain(const handle<term>* roots, int output_count);
}  // namespace detail

/// What eval(es...) would do now: kernels, their source, bytes, and where each would come from. Launches and compiles
/// nothing. Throws shape_error as eval would.
template <expression... Es>
explanation explain(Es&&... es) {
    return [](const auto&... collectable) {
        if constexpr ((std::remove_cvref_t<decltype(collectable)>::dynamic || ...)) {
            const detail::handle<detail::term> roots[] = {detail::erase_as<value_t<Es>>(collectable)...};
            return detail::explain(roots, static_cast<int>(sizeof...(Es)));
        } else {
            constexpr int leaf_count = (std::remove_cvref_t<decltype(collectable)>::leaf_count + ...);
            detail::leaf leaves[static_cast<std::size_t>(leaf_count)];
            detail::leaf* next = leaves;
            ((next = collectable.collect(next)), ...);
            return detail::explain(detail::expression_cache_of<value_t<Es>...>::template value<
                                       std::remove_cvref_t<decltype(collectable)>...>,
                                   leaves, leaf_count, static_cast<int>(sizeof...(Es)));
        }
    }(detail::as_collectable(std::forward<Es>(es))...);
}

}  // namespace kiln::inline v0_1
