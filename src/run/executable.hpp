// kiln/run/executable: kernels found or made, and what a warm call needs to launch them. Made once per class of call.
// in: a plan and its kernels' sources   out: loaded kernels   knows nothing of: how they were planned or written
#pragma once

#include <capture/graph.hpp>
#include <device/devices.hpp>
#include <emit/source.hpp>
#include <plan/call_class.hpp>
#include <plan/call_values.hpp>
#include <plan/schedule.hpp>
#include <run/kernels.hpp>
#include <run/progress.hpp>
#include <run/tracing.hpp>

#include <kiln/error.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Of a kernel that is launched the short way, its element count among them.
inline constexpr std::size_t most_plain_parameters = 48;

/// Which of a kernel's parameters are given which values of a call, as its signature says.
struct parameter_places {
    struct placed {
        int parameter;
        int number;
    };
    /// Made for a launch of the scalar at that place.
    struct divisor : placed {
        element_type type;
    };
    std::vector<placed> operands;  // number: which memory of the call
    std::vector<placed> scalars;   // number: its place among the collected leaves
    std::vector<divisor> divisors;
    bool has_scalars = false;  // or divisors, which are of scalars
    // -1: none.
    int workspace = -1;
    int counters = -1;
    int element_count = -1;
    int layout = -1;
    int turned = -1;
};

struct kernel_executable {
    plan::kernel plan;
    std::shared_ptr<const backend::loaded_kernel> loaded;
    parameter_places places;
    std::int64_t bytes_read_per_element = 0;     // by contiguous operands, each once
    std::int64_t bytes_written_per_element = 0;  // the same
    std::int64_t elements_per_block = 0;         // of plan, which a warm call does not work out again
};

struct executable {
    explicit executable(const plan::call_class& of) : kind(of) {}

    plan::call_class kind;  // of the calls that it serves
    std::vector<kernel_executable> kernels;
    std::int64_t kernel_count = 0;  // of `kernels`: its size takes a division, and every call counts
    std::vector<element_type> output_types;
    std::vector<element_type> temporaries;
    /// One kernel on contiguous operands, without temporaries: launched the short way.
    bool plain = false;
    const executable* next = nullptr;  // of the same expression, another class of call
};

/// What one launch reads or writes, counted from its operands: each element once, of an array that several views see along
/// the same axis, too. What is read along one axis and along another comes from memory twice.
std::int64_t bytes_of_call(const std::vector<plan::operand>& operands, const plan::call_values& call);

struct made_executable {
    std::unique_ptr<executable> executable_;
    std::vector<pending_publication> pending;
    bool for_now = false;  // the next call makes it anew: something could not be loaded this time
};

/// Compiled code could not be had of a kernel with persistent rows, which the interpreter cannot run. The device keeps none from
/// now on: who planned the call plans it anew, so that no user sees this one.
class persistent_rows_unavailable : public error {
public:
    persistent_rows_unavailable()
        : error("kiln: a kernel with persistent rows is not compiled; evaluate it once more, and it is interpreted") {}
};

/// A recording keeps pointers to what it was told to launch.
[[nodiscard]] inline bool may_stay(const made_executable& made) noexcept {
    return !is_tracing && (!made.for_now || backend::detail::recorder);
}

/// A call, lowered and planned.
struct planned {
    plan::schedule schedule;
    std::vector<int> scalar_slots;
};

/// A kernel's source.
using emit_function = std::function<emit::source(const plan::kernel&)>;

/// Finds or compiles one kernel of a plan after the other.
class executable_maker {
public:
    executable_maker(backend::device& on, const graph& described, const plan::call_class& call, const planned& plan);
    /// Throws compile_error with the source, device_error, out_of_memory; persistent_rows_unavailable.
    void add(const plan::kernel& kernel, const emit_function& emit, const char* label);
    [[nodiscard]] made_executable finish();

private:
    [[nodiscard]] parameter_places places_of(const plan::kernel& kernel) const;

    const progress_of_evaluation progress_;

    backend::device& on_;
    const planned& plan_;
    made_executable made_;
};

/// Of one expression, by class of call.
using executable_list = std::atomic<const executable*>;

/// nullptr: there is none for such a call. Here, so that the warm path is one function.
inline const executable* find(const executable_list& executables, const plan::call_class& call) noexcept {
    const executable* each = executables.load(std::memory_order_acquire);
    while (each && !(each->kind == call)) each = each->next;
    return each;
}

/// Kept for good, like the code of the expression that it belongs to. Two threads may make the same executable; they share its
/// kernels, and either executable will do.
const executable* add(executable_list& executables, std::unique_ptr<executable> made) noexcept;

}  // namespace kiln::inline v0_1::detail
