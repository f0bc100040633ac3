// k::fuse: the stages of a function's body, made once for the types and shapes of its arguments. A call puts arrays in their
// places.
#include <device/device.hpp>
#include <evaluate.hpp>
#include <process/fork.hpp>
#include <run/tracing.hpp>

#include <kiln/fuse.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <mutex>

namespace kiln::detail {

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
    int device = 0;
    bool fused = true;
    stage_sequence stages;
    stage::arguments given;  // whose arrays the leaves of the stages point to
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
    if (of.device != launch::device_generation() || of.fused != thread_options.fuse) return false;
    for (int i = 0; i < count; ++i)
        if (of.types[static_cast<std::size_t>(i)] != arguments[i].type ||
            !(of.shapes[static_cast<std::size_t>(i)] == shape_of_argument(arguments[i])))
            return false;
    return true;
}

std::shared_ptr<const trace> make_trace(const fused_argument* arguments, int count, const traced_body& body,
                                        int root_count) {
    std::vector<element_type> types;
    std::vector<shape> shapes;
    stage::arguments given;
    std::vector<handle<term>> terms;
    for (int i = 0; i < count; ++i) {
        const fused_argument& of = arguments[i];
        types.push_back(of.type);
        shapes.push_back(shape_of_argument(of));
        terms.push_back(of.array ? given.add_array(of.type, of.array->extents) : given.add_number(of.type, of.number));
    }
    std::vector<handle<term>> roots(static_cast<std::size_t>(root_count));
    {
        const scoped_tracing tracing;
        body(terms.data(), roots.data());
    }
    const std::vector<output> wanted(roots.size());
    stage_sequence stages = stages_of(roots.data(), root_count, wanted.data(), given);
    return std::make_shared<const trace>(trace{std::move(types), std::move(shapes), launch::device_generation(),
                                               thread_options.fuse, std::move(stages), std::move(given)});
}

std::shared_ptr<const trace> find_or_trace(traces& known, const fused_argument* arguments, int argument_count,
                                           const traced_body& body, int result_count) {
    constexpr std::size_t most_traces = 64;
    {
        const std::lock_guard lock(traces_mutex);
        for (const std::shared_ptr<const trace>& each : known.made)
            if (fits(*each, arguments, argument_count)) return each;
    }
    std::shared_ptr<const trace> made = make_trace(arguments, argument_count, body, result_count);
    const std::lock_guard lock(traces_mutex);
    if (known.made.size() == most_traces) known.made.erase(known.made.begin());
    known.made.push_back(made);
    return made;
}

void forget(traces& known, const std::shared_ptr<const trace>& which) {
    const std::lock_guard lock(traces_mutex);
    known.made.erase(std::remove(known.made.begin(), known.made.end(), which), known.made.end());
}

}  // namespace

void evaluate_fused(traces& known, const fused_argument* arguments, int argument_count, const traced_body& body,
                    output* results, int result_count) {
    const std::shared_ptr<const trace> found = find_or_trace(known, arguments, argument_count, body, result_count);
    try {
        evaluate(found->stages, arguments, results, nullptr, purpose::launch);
    } catch (const rows_no_longer_kept&) {
        forget(known, found);
        evaluate(find_or_trace(known, arguments, argument_count, body, result_count)->stages, arguments, results,
                 nullptr, purpose::launch);
    }
}

}  // namespace kiln::detail
