// Their kernels, found by name, and the launches of their steps.
#include <run/sort.hpp>

#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/stream_order.hpp>
#include <emit/sort_text.hpp>
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

using sort_kernel = std::shared_ptr<const backend::loaded_kernel>;

plan::kernel_signature sort_takes() { return {std::begin(plan::sort_signature), std::end(plan::sort_signature)}; }

/// Of a device that needs no code for a step: what it is to people.
struct sort_without_code : backend::loaded_kernel {
    explicit sort_without_code(const plan::sort_step& step) : loaded_kernel(sort_takes()) {
        auto facts = std::make_shared<record::kernel_facts>();
        facts->name = emit::sort_name(step);
        facts->expression = step.has_places ? "argsort(x0)" : "sort(x0)";
        facts->origin = kernel_origin::interpreter;
        facts->step_count = 1;
        facts->work.plain = 1;
        be(std::move(facts));
    }
};

sort_kernel find_sort_kernel(backend::device& on, const plan::sort_step& step, const char* label) {
    const options& wanted = current_options();
    return on.scan_kernels().find_or_make(emit::sort_name(step), wanted.fma | wanted.fast_math << 1,
                                          [&]() -> std::shared_ptr<const backend::loaded_kernel> {
                                              if (on.target().kind != plan::frame::cuda)
                                                  return std::make_shared<const sort_without_code>(step);
                                              return load_kernel(on, emit::sort_source(step), sort_takes(), wanted,
                                                                 label);
                                          });
}

/// The memory of one call: the operand, the results, the steps' own.
class sort_memory {
public:
    sort_memory(backend::device& on, const plan::sort_plan& plan, int stream) : on_(on), stream_(stream) {
        try {
            for (const std::int64_t count : plan.temporaries) {
                const auto bytes = static_cast<std::size_t>(count);
                temporaries_.reserve(temporaries_.size() + 1);  // before the allocation, so that it cannot be lost
                temporaries_.emplace_back(on.allocate(bytes), bytes);
            }
        } catch (...) {
            release();
            throw;
        }
    }
    sort_memory(const sort_memory&) = delete;
    sort_memory& operator=(const sort_memory&) = delete;
    ~sort_memory() { release(); }

    std::byte* outside[3] = {};  // the operand, the elements in order, where they were

    [[nodiscard]] std::byte* at(int memory) const {
        if (memory < 0) return nullptr;
        return memory < 3 ? outside[memory] : temporaries_[static_cast<std::size_t>(memory) - 3].first;
    }

private:
    void release() noexcept {
        for (const auto& [memory, bytes] : temporaries_) on_.deallocate(memory, bytes, backend::used_on(stream_));
    }

    backend::device& on_;
    int stream_;
    std::vector<std::pair<std::byte*, std::size_t>> temporaries_;
};

void launch_sort_step(backend::device& on, const backend::loaded_kernel& kernel, plan::sort_step step,
                      const sort_memory& memory, int stream) {
    std::byte* addresses[] = {memory.at(step.to),          memory.at(step.from),   memory.at(step.places_to),
                              memory.at(step.places_from), memory.at(step.counts), memory.at(step.states)};
    std::int64_t numbers[] = {step.rows, step.count, step.digit};
    void* parameters[std::size(plan::sort_signature)];
    void** next = parameters;
    for (std::byte*& each : addresses) *next++ = &each;
    for (std::int64_t& each : numbers) *next++ = &each;
    backend::launch_arguments arguments;
    arguments.parameters = parameters;
    arguments.element_count = step.element_count();
    arguments.block_count = plan::block_count(step);
    arguments.threads_per_block = plan::tile_of(step).threads;
    arguments.stream = stream;
    const backend::array_step of{.sort = &step};
    arguments.step = &of;
    on.launch(kernel, arguments);
}

}  // namespace

plan::sort_plan sort_plan_of(const stage::stage& of, const backend::device& on) {
    const shape& extents = of.results.front().extents;
    const std::int64_t count = extents[extents.rank() - 1];
    return plan::plan_sort({.type = of.sorts->type,
                            .descending = of.sorts->descending,
                            .values = of.sorts->values >= 0,
                            .positions = of.sorts->positions >= 0,
                            .rows = extents.size() / count,
                            .count = count},
                           on.target());
}

std::vector<handle<array_node>> run_sort(const stage::stage& of, const leaf& operand, evaluate_function evaluate,
                                         const char* label, purpose why) {
    const record::observed_evaluation seen(label);
    backend::device& on = backend::current_device();
    if (is_tracing) require_memory(&operand, 1);
    const plan::sort_plan plan = sort_plan_of(of, on);
    std::vector<sort_kernel> kernels;
    for (const plan::sort_step& step : plan.steps) kernels.push_back(find_sort_kernel(on, step, label));
    std::vector<handle<array_node>> results;
    if (why != purpose::launch) {
        for (const stage::result& each : of.results) results.push_back(stage::stand_in(each.type, each.extents));
        return results;
    }

    const int stream = on.current_stream();
    const auto& read = *static_cast<const array_node*>(operand.object);
    finalize(read.storage(), evaluate);
    const int values = of.sorts->values;
    for (int i = 0; const stage::result& each : of.results) {
        const bool in_place = i++ == values && of.sorts->in_place && plan::sorts_in_place(plan);
        results.push_back(in_place ? share(read) : backend::make_owner(on, each.type, each.extents, stream));
    }
    backend::before_read(on, read, stream);
    sort_memory memory(on, plan, stream);
    memory.outside[0] = read.data;
    if (values >= 0) memory.outside[1] = results[static_cast<std::size_t>(values)].get()->data;
    if (of.sorts->positions >= 0)
        memory.outside[2] = results[static_cast<std::size_t>(of.sorts->positions)].get()->data;
    record::tally& counts = record::this_thread();
    const std::int64_t start_ns = record::now_ns();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        launch_sort_step(on, *kernels[i], plan.steps[i], memory, stream);
        count_launch(counts, plan::bytes_read(plan.steps[i]), plan::bytes_written(plan.steps[i]));
    }
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    return results;
}

}  // namespace kiln::inline v0_1::detail
