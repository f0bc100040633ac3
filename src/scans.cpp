#include <scans.hpp>

#include <run_time_sites.hpp>

#include <emit/cuda_scan.hpp>
#include <launch/arrays.hpp>
#include <launch/stream_order.hpp>
#include <launch_call.hpp>
#include <plan/scan.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <recipe.hpp>
#include <reductions.hpp>
#include <sums_in_parts.hpp>

#include <kiln/options.hpp>

#include <bit>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

using loaded = std::shared_ptr<const launch::loaded_kernel>;

/// The steps' kernels of the current device, by name and arithmetic. Elsewhere than on CUDA a step needs none.
class scan_kernels {
public:
    loaded find(launch::device& on, const plan::scan_step& step, const char* label) {
        if (on.target().kind != plan::frame::cuda) return {};
        const std::lock_guard lock(mutex_);
        if (generation_ != launch::device_generation()) {
            generation_ = launch::device_generation();
            kernels_.clear();
        }
        const std::pair<std::string, int> name(emit::scan_name(step),
                                               thread_options.fma | thread_options.fast_math << 1);
        loaded& kernel = kernels_[name];
        if (!kernel) kernel = load_kernel(on, emit::scan_source(step), label);
        return kernel;
    }

private:
    static void before_fork();
    static void after_fork();

    std::mutex mutex_;
    std::map<std::pair<std::string, int>, loaded> kernels_;
    int generation_ = 0;

    static const process::fork_participant held;
};

constinit process::immortal<scan_kernels> all_scan_kernels;

void scan_kernels::before_fork() { all_scan_kernels().mutex_.lock(); }
void scan_kernels::after_fork() { all_scan_kernels().mutex_.unlock(); }
const process::fork_participant scan_kernels::held{process::fork_order::scan_kernels, before_fork, after_fork};

/// What is summed up, in the type that it is summed up in.
handle<term> operand_of(const reduction_group& of) {
    const handle<term>& operand = of.results.front().computed;
    const element_type type = of.results.front().of->type;
    return operand.get()->type == type ? operand : make_operation_term(operation::cast, type, operand);
}

/// Whether the steps can read the operand where it lies.
bool is_ready(const term& operand, const shape& wanted) {
    if (operand.what != term::kind::array) return false;
    const array_node& node = *operand.node.get();
    return node.contiguous && !node.map && node.type == operand.type && node.extents == wanted &&
           node.owned != ownership::host_user && node.owned != ownership::position;
}

plan::scan_plan plan_of(const reduction_group& of, const launch::device& on) {
    const term& scan = *of.results.front().of;
    return plan::plan_scan(of.of, std::countr_zero(static_cast<unsigned>(of.axes)), scan.reduces, scan.type,
                           on.target());
}

/// The memory of one call: the operand, the result, the steps' totals.
class scan_memory {
public:
    scan_memory(launch::device& on, const plan::scan_plan& plan, element_type type, int stream)
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
        for (const auto& [memory, bytes] : temporaries_) on_.deallocate(memory, bytes, launch::used_on(stream_));
    }

    launch::device& on_;
    int stream_;
    std::vector<std::pair<std::byte*, std::size_t>> temporaries_;
};

// Of devices that need none for a step.
constinit process::immortal<launch::loaded_kernel> no_kernel;

void launch_step(launch::device& on, const launch::loaded_kernel* kernel, plan::scan_step step,
                 const scan_memory& memory, int stream) {
    std::byte* to = memory.at(step.to);
    std::byte* from = memory.at(step.from);
    std::byte* offsets = memory.at(step.offsets);
    std::int64_t parts = step.parts();
    // In the order of emit/cuda_scan.hpp.
    void* parameters[] = {&to, &from, &offsets, &step.outer, &step.count, &step.inner, &step.part, &parts};
    launch::launch_arguments arguments;
    arguments.parameters = parameters;
    arguments.element_count = step.element_count();
    arguments.block_count = plan::block_count(step);
    arguments.threads_per_block = plan::scan_threads;
    arguments.stream = stream;
    arguments.scan = &step;
    on.launch(kernel ? *kernel : no_kernel(), arguments);
}

std::int64_t bytes_written(const plan::scan_step& step) {
    return bytes_of(step.type) * (step.totals_only ? step.outer * step.parts() * step.inner : step.element_count());
}

std::int64_t bytes_read(const plan::scan_step& step) {
    const std::int64_t offsets = step.offsets < 0 ? 0 : step.outer * step.parts() * step.inner;
    return bytes_of(step.type) * (step.element_count() + offsets);
}

}  // namespace

handle<array_node> evaluate_scan(const reduction_group& of, const char* label, purpose why) {
    launch::device& on = launch::current_device();
    const element_type type = of.results.front().of->type;
    const int stream = on.current_stream();
    if (of.of.size() == 0)
        return why == purpose::launch ? launch::make_owner(on, type, of.of, stream) : planned_result(type, of.of);

    const handle<term> operand = operand_of(of);
    const bool ready = is_ready(*operand.get(), of.of);
    if (is_tracing && ready) {
        const leaf read{operand.get()->node.get(), 0, leaf_kind::array, 0};
        require_memory(&read, 1);
    }
    const plan::scan_plan plan = plan_of(of, on);
    std::vector<loaded> kernels;
    for (const plan::scan_step& step : plan.steps) kernels.push_back(all_scan_kernels().find(on, step, label));
    handle<array_node> from;
    if (ready) {
        from = operand.get()->node;
    } else {
        output made;
        evaluate(&operand, &made, 1, label, why);
        from = handle<array_node>(made.written);
    }
    if (why != purpose::launch) return planned_result(type, of.of);

    handle<array_node> result = ready ? launch::make_owner(on, type, of.of, stream) : from;
    put_together(*from.get());
    launch::before_read(on, *from.get(), stream);
    scan_memory memory(on, plan, type, stream);
    memory.from = from.get()->data;
    memory.to = result.get()->data;
    record::tally& counts = record::this_thread();
    const std::int64_t start_ns = record::now_ns();
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        launch_step(on, kernels[i].get(), plan.steps[i], memory, stream);
        count_launch(counts, bytes_read(plan.steps[i]), bytes_written(plan.steps[i]));
    }
    counts.add(record::counter::launch_ns, record::now_ns() - start_ns);
    return result;
}

explanation explain_scan(const reduction_group& of) {
    launch::device& on = launch::current_device();
    explanation out;
    const handle<term> operand = operand_of(of);
    if (!is_ready(*operand.get(), of.of)) {
        out = explain(&operand, 1);
        if (!out.kernels.empty()) out.kernels.back().cut = "a scan reads an array";
    }
    const plan::scan_plan plan = plan_of(of, on);
    for (const std::int64_t count : plan.temporaries)
        out.temporary_bytes += count * bytes_of(of.results.front().of->type);
    const std::string title = std::string("cum") + reductions[static_cast<int>(plan.steps.front().what)].name;
    for (const plan::scan_step& step : plan.steps) {
        kernel_explanation each;
        if (on.target().kind == plan::frame::cuda) {
            explain_source(on, emit::scan_source(step), each);
            each.block_count = plan::block_count(step);
            each.threads_per_block = plan::scan_threads;
        } else {
            each.name = title + (step.totals_only ? " totals" : "");
            each.origin = kernel_origin::interpreter;
        }
        each.target = on.describe().target;
        each.expression = title + "(x0)";
        if (&step != &plan.steps.back()) each.cut = "parts need the totals of those before them";
        each.bytes_read = bytes_read(step);
        each.bytes_written = bytes_written(step);
        each.operation_count = step.element_count();
        out.kernels.push_back(std::move(each));
    }
    return out;
}

}  // namespace kiln::inline v0_1::detail
