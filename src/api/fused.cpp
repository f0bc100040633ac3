// k::fuse: the stages of a function's body, made once for the types and shapes of its arguments. A call puts arrays in their
// places.
#include <capture/same_terms.hpp>
#include <device/devices.hpp>
#include <evaluate.hpp>
#include <process/fork.hpp>
#include <run/tracing.hpp>
#include <streamed/host_memory.hpp>

#include <kiln/error.hpp>
#include <kiln/fuse.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

namespace kiln::inline v0_1::detail {

namespace {

struct scoped_tracing {
    scoped_tracing() { is_tracing = true; }
    ~scoped_tracing() { is_tracing = before_; }
    scoped_tracing(const scoped_tracing&) = delete;
    scoped_tracing& operator=(const scoped_tracing&) = delete;

private:
    const bool before_ = is_tracing;
};

struct trace {
    std::vector<element_type> types;  // of the arguments
    std::vector<shape> shapes;
    std::vector<bool> are_numbers;     // which arrays of rank 0 are not
    const known_device* on = nullptr;  // where a call without arrays would run, or its arrays are
    bool fused = true;
    bool by_library = false;
    stage_sequence stages;
    std::vector<handle<term>> given;  // what stands for the arguments
    std::vector<handle<term>> roots;  // what the function made of it
    mutable std::atomic<std::uint64_t> calls{1};
    mutable std::atomic<bool> has_changed{false};  // what the function captures, when it was looked at last
};

}  // namespace

struct traces {
    std::vector<std::shared_ptr<const trace>> made;  // the last used ones
};

std::shared_ptr<traces> make_traces() { return std::make_shared<traces>(); }

namespace {

// One for all functions: held for a look at some shapes.
constinit std::mutex traces_mutex;
const process::fork_participant held{process::fork_order::tables, [] { traces_mutex.lock(); },
                                     [] { traces_mutex.unlock(); }};

const shape& shape_of_argument(const fused_argument& of) {
    static const shape scalar;
    return of.array ? of.array->extents : scalar;
}

bool fits(const trace& of, const fused_argument* arguments, int count) {
    if (of.on != &backend::current_known() || of.fused != thread_options.fuse ||
        of.by_library != thread_options.library)
        return false;
    for (int i = 0; i < count; ++i)
        if (of.types[static_cast<std::size_t>(i)] != arguments[i].type ||
            of.are_numbers[static_cast<std::size_t>(i)] != !arguments[i].array ||
            !(of.shapes[static_cast<std::size_t>(i)] == shape_of_argument(arguments[i])))
            return false;
    return true;
}

std::vector<handle<term>> call_for_expression(const traced_body& body, const std::vector<handle<term>>& given,
                                              std::size_t root_count) {
    std::vector<handle<term>> roots(root_count);
    const scoped_tracing tracing;
    body(given.data(), roots.data());
    return roots;
}

std::shared_ptr<const trace> make_trace(const fused_argument* arguments, int count, const traced_body& body,
                                        bool captures, int root_count) {
    std::vector<element_type> types;
    std::vector<shape> shapes;
    std::vector<bool> are_numbers;
    // Numbers that are captured stay for these calls, but another function may hold others: two that happen to be equal are not one, or
    // each combination of equal ones would have a kernel.
    using numbers = stage::arguments::other_numbers;
    stage::arguments places(captures ? numbers::may_differ : numbers::stay);
    std::vector<handle<term>> given;
    for (int i = 0; i < count; ++i) {
        const fused_argument& of = arguments[i];
        types.push_back(of.type);
        shapes.push_back(shape_of_argument(of));
        are_numbers.push_back(!of.array);
        given.push_back(of.array ? places.add_array(of.type, of.array->extents, of.array->device)
                                 : places.add_number(of.type, of.number));
    }
    std::vector<handle<term>> roots = call_for_expression(body, given, static_cast<std::size_t>(root_count));
    const std::vector<output> wanted(roots.size());
    stage_sequence stages = stages_of(roots.data(), root_count, wanted.data(), places);
    return std::shared_ptr<const trace>(
        new trace{std::move(types), std::move(shapes), std::move(are_numbers), &backend::current_known(),
                  thread_options.fuse, thread_options.library, std::move(stages), std::move(given), std::move(roots)});
}

std::shared_ptr<const trace> find(const traces& known, const fused_argument* arguments, int argument_count) {
    const std::lock_guard lock(traces_mutex);
    for (const std::shared_ptr<const trace>& each : known.made)
        if (fits(*each, arguments, argument_count)) return each;
    return nullptr;
}

std::shared_ptr<const trace> add_trace(traces& known, const fused_argument* arguments, int argument_count,
                                       const traced_body& body, bool captures, int result_count) {
    constexpr std::size_t most_traces = 64;
    std::shared_ptr<const trace> made = make_trace(arguments, argument_count, body, captures, result_count);
    const std::lock_guard lock(traces_mutex);
    if (known.made.size() == most_traces) known.made.erase(known.made.begin());
    known.made.push_back(made);
    return made;
}

/// A function that captures may hold something else by now.
void look_again(const trace& then, const traced_body& body) {
    const std::uint64_t call = then.calls.fetch_add(1, std::memory_order_relaxed) + 1;
    if (!std::has_single_bit(call) && !then.has_changed.load(std::memory_order_relaxed)) return;
    const bool is_same = same_terms(call_for_expression(body, then.given, then.roots.size()), then.roots);
    then.has_changed.store(!is_same, std::memory_order_relaxed);
    if (is_same) return;
    throw error(
        "kiln: fuse: a number or array that the function captures has changed since its first call for arguments of "
        "these shapes, whose kernels hold what it was then; give what changes as an argument");
}

void forget(traces& known, const std::shared_ptr<const trace>& which) {
    const std::lock_guard lock(traces_mutex);
    known.made.erase(std::remove(known.made.begin(), known.made.end(), which), known.made.end());
}

/// Where the arguments are; without arrays among them, the thread's device.
known_device& device_of(const fused_argument* arguments, int argument_count) {
    meeting_device one;
    for (const fused_argument* each = arguments; each != arguments + argument_count; ++each)
        if (each->array) one.meet(each->array->device);
    return one.or_else(backend::current_known);
}

/// Of host arrays nothing is kept but what streaming them keeps: their chunks are other arrays each time.
bool reads_host_arrays(const fused_argument* arguments, int argument_count) {
    return std::any_of(arguments, arguments + argument_count,
                       [](const fused_argument& each) { return each.array && streamed::host_memory_of(*each.array); });
}

std::vector<handle<term>> terms_of(const fused_argument* arguments, int argument_count) {
    std::vector<handle<term>> out;
    for (const fused_argument* each = arguments; each != arguments + argument_count; ++each)
        out.push_back(each->array ? make_array_term(share(*each->array), each->type)
                                  : make_scalar_term(each->type, each->number, /*capture=*/0));
    return out;
}

}  // namespace

void evaluate_fused(traces& known, const fused_argument* arguments, int argument_count, const traced_body& body,
                    bool captures, output* results, int result_count) {
    const backend::scoped_current here(device_of(arguments, argument_count));
    if (reads_host_arrays(arguments, argument_count)) {
        const std::vector<handle<term>> roots =
            call_for_expression(body, terms_of(arguments, argument_count), static_cast<std::size_t>(result_count));
        return evaluate(roots.data(), results, result_count, nullptr, purpose::launch);
    }
    std::shared_ptr<const trace> found = find(known, arguments, argument_count);
    if (!found) found = add_trace(known, arguments, argument_count, body, captures, result_count);
    else if (captures) look_again(*found, body);
    try {
        evaluate(found->stages, arguments, results, nullptr, purpose::launch);
    } catch (const persistent_rows_unavailable&) {
        forget(known, found);
        evaluate(add_trace(known, arguments, argument_count, body, captures, result_count)->stages, arguments, results,
                 nullptr, purpose::launch);
    }
}

}  // namespace kiln::inline v0_1::detail
