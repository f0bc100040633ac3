// Their kernels, found by name, and the launches of their steps.
#include <run/scan.hpp>

#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/stream_order.hpp>
#include <emit/source.hpp>
#include <plan/policy/scan.hpp>
#include <record/stopwatch.hpp>
#include <run/kernels.hpp>
#include <run/launch_call.hpp>
#include <run/partial_sums.hpp>
#include <run/tracing.hpp>
#include <stage/stand_in.hpp>
#include <text/format.hpp>

#include <kiln/options.hpp>

#include <iterator>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

using loaded = std::shared_ptr<const backend::loaded_kernel>;

plan::kernel_signature takes() { return {std::begin(plan::scan_signature), std::end(plan::scan_signature)}; }

/// Of a device that needs no code for a step: what it is to people.
struct step_without_code : backend::loaded_kernel {
    explicit step_without_code(const plan::scan_step& step) : loaded_kernel(takes()) {
        auto facts = std::make_shared<record::kernel_facts>();
        facts->name = plan::scan_name(step);
        facts->expression =
            text::format("{}(x0){}", plan::scan_word(step), step.totals_only ? ": totals of parts" : "");
        facts->origin = kernel_origin::interpreter;
        facts->step_count = 1;
        facts->work.plain = 1;
        be(std::move(facts));
    }
};

loaded find_kernel(backend::device& on, const plan::scan_step& step, const char* label) {
    const options& wanted = current_options();
    return on.scan_kernels().find_or_make(
        // Two users may give one name to what they combine.
        plan::scan_name(step) + (step.definition ? std::to_string(step.definition) : std::string()),
        wanted.fma | wanted.fast_math << 1, [&]() -> std::shared_ptr<const backend::loaded_kernel> {
            if (on.target().kind != plan::frame::cuda) return std::make_shared<const step_without_code>(step);
            return load_kernel(on, emit::emit(plan::scan_nest(step), plan::scan_text(step)), takes(), wanted, label);
        });
}

/// The memory of one call: the operand, the result, the steps' totals.
class scan_memory {
public:
    scan_memory(backend::device& on, const plan::scan_plan& plan, element_type type, int stream)
        : on_(on), stream_(stream) {
        try {
            for (const std::int64_t count : plan.temporaries) {
                const auto bytes = static_cast<std::size_t>(count * bytes_of(type));
                temporaries_.reserve(temporaries_.size() + 1);  // before the allocation, so that it cannot be lost
                temporaries_.emplace_back(on.allocate(bytes), bytes);
            }
        } catch (...) {
            release();
            throw;
        }
    }
    scan_memory(const scan_memory&) = delete;
    scan_memory& operator=(const scan_memory&) = delete;
    ~scan_memory() { release(); }

    std::byte* from = nullptr;
    std::byte* to = nullptr;

    [[nodiscard]] std::byte* at(int memory) const {
        if (memory < 0) return nullptr;
        return memory == 0 ? from : memory == 1 ? to : temporaries_[static_cast<std::size_t>(memory) - 2].first;
    }

private:
    void release() noexcept {
        for (const auto& [memory, bytes] : temporaries_) on_.deallocate(memory, bytes, backend::used_on(stream_));
    }

    backend::device& on_;
    int stream_;
    std::vector<std::pair<std::byte*, std::size_t>> temporaries_;
};

void launch_step(backend::device& on, const backend::loaded_kernel& kernel, plan::scan_step step,
                 const scan_memory& memory, int stream) {
    std::byte* to = memory.at(step.to);
    std::byte* from = memory.at(step.from);
    std::byte* offsets = memory.at(step.offsets);
    std::int64_t parts = step.parts();
    void* parameters[std::size(plan::scan_signature)];
    void** next = parameters;
    for (const plan::parameter& each : plan::scan_signature) {
        switch (each.what) {
            case plan::role::scan_result: *next++ = &to; break;
            case plan::role::scan_operand: *next++ = &from; break;
            case plan::role::scan_offsets: *next++ = &offsets; break;
            case plan::role::scan_outer: *next++ = &step.outer; break;
            case plan::role::scan_count: *next++ = &step.count; break;
            case plan::role::scan_inner: *next++ = &step.inner; break;
            case plan::role::scan_part: *next++ = &step.part; break;
            default: *next++ = &parts; break;
        }
    }
    backend::launch_arguments arguments;
    arguments.parameters = parameters;
    arguments.element_count = step.element_count();
    arguments.block_count = plan::block_count(step);
    arguments.threads_per_block = plan::scan_threads;
    arguments.stream = stream;
    const backend::array_step of{.scan = &step};
    arguments.step = &of;
    on.launch(kernel, arguments);
}

}  // namespace

std::int64_t bytes_written(const plan::scan_step& step) {
    return bytes_of(step.type) * (step.totals_only ? step.outer * step.parts() * step.inner : step.element_count());
}

std::int64_t bytes_read(const plan::scan_step& step) {
    const std::int64_t offsets = step.offsets < 0 ? 0 : step.outer * step.parts() * step.inner;
    return bytes_of(step.type) * (step.element_count() + offsets);
}

plan::scan_plan plan_of(const stage::stage& of, const backend::device& on) {
    return plan::plan_scan(of.results.front().extents, of.scans->axis, of.scans->what, of.scans->type, on.target(),
                           of.scans->definition);
}

handle<array_node> run_scan(const stage::stage& of, const leaf& operand, evaluate_function evaluate, const char* label,
                            purpose why, const std::shared_ptr<const backend::loaded_kernel>& combines) {
    const record::observed_evaluation seen(label);
    backend::device& on = backend::current_device();
    const element_type type = of.scans->type;
    const shape& extents = of.results.front().extents;
    if (is_tracing) require_memory(&operand, 1);
    const plan::scan_plan plan = plan_of(of, on);
    std::vector<loaded> kernels;
    for (const plan::scan_step& step : plan.steps)
        kernels.push_back(combines ? combines : find_kernel(on, step, label));
    if (why != purpose::launch) return stage::stand_in(type, extents);

    const int stream = on.current_stream();
    const auto& read = *static_cast<const array_node*>(operand.object);
    finalize(read.storage(), evaluate);
    handle<array_node> result = of.scans->in_place ? share(read) : backend::make_owner(on, type, extents, stream);
    backend::before_read(on, read, stream);
    scan_memory memory(on, plan, type, stream);
    memory.from = read.data;
    memory.to = result.get()->data;
    record::tally& counts = record::this_thread();
    const std::int64_t start_ns = record::now_ns();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        launch_step(on, *kernels[i], plan.steps[i], memory, stream);
        count_launch(counts, bytes_read(plan.steps[i]), bytes_written(plan.steps[i]));
    }
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    return result;
}

}  // namespace kiln::inline v0_1::detail
