// Their kernels, found by name, and the launches of their steps.
#include <run/segments.hpp>

#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/stream_order.hpp>
#include <emit/source.hpp>
#include <plan/policy/segments.hpp>
#include <record/stopwatch.hpp>
#include <run/kernels.hpp>
#include <run/launch_call.hpp>
#include <run/partial_sums.hpp>
#include <run/tracing.hpp>
#include <stage/stand_in.hpp>

#include <kiln/options.hpp>

#include <iterator>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

using segment_kernel = std::shared_ptr<const backend::loaded_kernel>;

plan::kernel_signature segment_parameters() {
    return {std::begin(plan::segment_signature), std::end(plan::segment_signature)};
}

/// Of a device that needs no code for a step: what it is to people.
struct segment_step_without_code : backend::loaded_kernel {
    explicit segment_step_without_code(const plan::segment_step& step) : loaded_kernel(segment_parameters()) {
        auto facts = std::make_shared<record::kernel_facts>();
        facts->name = plan::segment_name(step);
        facts->expression = plan::segment_text(step);
        facts->origin = kernel_origin::interpreter;
        facts->step_count = 1;
        facts->work.plain = 1;
        be(std::move(facts));
    }
};

segment_kernel find_segment_kernel(backend::device& on, const plan::segment_step& step, const char* label) {
    return on.scan_kernels().find_or_make(
        plan::segment_name(step), 0, [&]() -> std::shared_ptr<const backend::loaded_kernel> {
            if (on.target().kind != plan::frame::cuda) return std::make_shared<const segment_step_without_code>(step);
            return load_kernel(on, emit::emit(plan::segment_nest(step), plan::segment_text(step)), segment_parameters(),
                               exact_options(), label);
        });
}

/// The words of one call, where they are not the result.
class segment_memory {
public:
    segment_memory(backend::device& on, std::int64_t words, int stream)
        : on_(on), bytes_(static_cast<std::size_t>(8 * words)), stream_(stream) {
        if (words) at_ = on.allocate(bytes_);
    }
    segment_memory(const segment_memory&) = delete;
    segment_memory& operator=(const segment_memory&) = delete;
    ~segment_memory() {
        if (at_) on_.deallocate(at_, bytes_, backend::used_on(stream_));
    }
    [[nodiscard]] std::byte* at() const { return at_; }

private:
    backend::device& on_;
    std::size_t bytes_;
    int stream_;
    std::byte* at_ = nullptr;
};

struct segment_operands {
    std::byte* result;
    std::byte* words;
    std::byte* numbers;
    std::byte* values;
};

void launch_segment_step(backend::device& on, const backend::loaded_kernel& kernel, plan::segment_step step,
                         segment_operands at, int stream) {
    std::int64_t stride = plan::block_count(step) * plan::segment_threads * plan::segment_vector(step);
    double width = (step.high - step.low) / static_cast<double>(step.count);
    if (plan::ends_in_counters(step)) at.words = on.counters(stream);
    void* parameters[] = {&at.result, &at.words,    &at.numbers,   &at.values, &step.elements, &step.count,
                          &stride,    &step.copies, &step.setting, &step.low,  &step.high,     &width};
    static_assert(std::size(parameters) == std::size(plan::segment_signature));
    backend::launch_arguments arguments;
    arguments.parameters = parameters;
    arguments.element_count = step.over_elements() ? step.elements : step.count;
    arguments.block_count = plan::block_count(step);
    arguments.threads_per_block = plan::threads_per_block(step);
    arguments.stream = stream;
    const backend::array_step of{.segments = &step};
    arguments.step = &of;
    on.launch(kernel, arguments);
}

}  // namespace

options exact_options() {
    options out = current_options();
    out.fma = false;
    out.fast_math = false;
    return out;
}

plan::segment_plan segment_plan_of(const stage::stage& of, const backend::device& on) {
    const stage::segments& by = *of.by_segments;
    return plan::plan_segments(by.by, by.elements, by.numbers, by.values, on.target());
}

handle<array_node> run_segments(const stage::stage& of, const std::vector<leaf>& leaves, evaluate_function evaluate,
                                const char* label, purpose why) {
    const record::observed_evaluation seen(label);
    backend::device& on = backend::current_device();
    const stage::segments& by = *of.by_segments;
    if (is_tracing) require_memory(leaves.data(), static_cast<int>(leaves.size()));
    const plan::segment_plan plan = segment_plan_of(of, on);
    std::vector<segment_kernel> kernels;
    for (const plan::segment_step& step : plan.steps) kernels.push_back(find_segment_kernel(on, step, label));
    const stage::result& made = of.results.front();
    if (why != purpose::launch) return stage::stand_in(made.type, made.extents);

    const int stream = on.current_stream();
    const auto read = [&](int number) -> std::byte* {
        if (number < 0) return nullptr;
        const auto& node = *static_cast<const array_node*>(leaves[static_cast<std::size_t>(number)].object);
        finalize(node.storage(), evaluate);
        backend::before_read(on, node, stream);
        return node.data;
    };
    segment_operands at{nullptr, nullptr, read(by.numbers_leaf), read(by.values_leaf)};
    handle<array_node> result = backend::make_owner(on, made.type, made.extents, stream);
    const segment_memory words(on, plan.words, stream);
    at.result = result.get()->data;
    at.words = plan.words ? words.at() : at.result;
    record::tally& counts = record::this_thread();
    const std::int64_t start_ns = record::now_ns();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        launch_segment_step(on, *kernels[i], plan.steps[i], at, stream);
        count_launch(counts, plan::bytes_read(plan.steps[i]), plan::bytes_written(plan.steps[i]));
    }
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    return result;
}

}  // namespace kiln::inline v0_1::detail
