// The way of a stage of steps: kernels, memory, launches.
#include <run/array_stage.hpp>

#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/memory.hpp>
#include <device/stream_order.hpp>
#include <record/stopwatch.hpp>
#include <run/kernels.hpp>
#include <run/launch_call.hpp>
#include <run/partial_sums.hpp>
#include <run/tracing.hpp>
#include <stage/stand_in.hpp>

#include <type_traits>
#include <utility>
#include <variant>

namespace kiln::inline v0_1::detail {

step_memory::step_memory(backend::device& on, const std::vector<std::int64_t>& temporary_bytes, int stream)
    : on_(on), stream_(stream) {
    temporaries_.reserve(temporary_bytes.size());  // before the allocations, so that none can be lost
    try {
        for (const std::int64_t count : temporary_bytes) {
            const auto bytes = static_cast<std::size_t>(count);
            temporaries_.emplace_back(backend::allocate(on, bytes), bytes);
        }
    } catch (...) {
        release();
        throw;
    }
}

step_memory::~step_memory() { release(); }

void step_memory::release() noexcept {
    for (const auto& [memory, bytes] : temporaries_) backend::deallocate(on_, memory, bytes, backend::used_on(stream_));
}

std::byte* step_memory::counters() const { return on_.counters(stream_); }

namespace {

/// Of a device that needs no code for a step: what it is to people.
struct step_without_code : backend::loaded_kernel {
    step_without_code(const array_stage& of, int step) : loaded_kernel(of.takes(step)) {
        auto facts = std::make_shared<record::kernel_facts>();
        facts->name = of.name(step);
        facts->expression = of.text(step);
        facts->origin = of.by_library ? kernel_origin::library : kernel_origin::built_in;
        facts->step_count = 1;
        facts->work.plain = 1;
        be(std::move(facts));
    }
};

}  // namespace

step_kernel find_step(backend::device& on, const array_stage& of, int step, const char* label) {
    const options wanted = of.wanted();
    return on.scan_kernels().find_or_make(of.key(step), wanted.fma | wanted.fast_math << 1, [&]() -> step_kernel {
        if (of.by_library || on.target().kind != plan::frame::cuda || !on.toolchain())
            return std::make_shared<const step_without_code>(of, step);
        return load_kernel(on, of.source(step), of.takes(step), wanted, label);
    });
}

void launch_step(backend::device& on, const backend::loaded_kernel& kernel, const array_stage& of, int step,
                 const step_memory& memory, int stream) {
    const step_launch how = of.launch(step);
    step_parameters parameters;
    of.fill(step, memory, parameters);
    backend::launch_arguments arguments;
    arguments.parameters = parameters.places();
    arguments.element_count = how.element_count;
    arguments.block_count = how.block_count;
    arguments.threads_per_block = how.threads_per_block;
    arguments.stream = stream;
    arguments.step = &how.of;
    on.launch(kernel, arguments);
    count_launch(record::this_thread(), how.bytes_read, how.bytes_written);
}

std::unique_ptr<array_stage> plan_array_stage(const stage::stage& of, const backend::device& on) {
    const auto plan = [&](const auto& steps) -> std::unique_ptr<array_stage> {
        if constexpr (std::is_same_v<decltype(steps), const std::monostate&>) return nullptr;
        else return plan_steps(of, steps, on);
    };
    return std::visit(plan, of.over_arrays);
}

void run_array_stage(const stage::stage& of, const std::vector<leaf>& leaves, stage_results& results,
                     evaluate_function evaluate, const step_kernel& combines, const char* label, purpose why) {
    const record::observed_evaluation seen(label);
    backend::device& on = backend::current_device();
    const std::unique_ptr<array_stage> steps = plan_array_stage(of, on);
    if (is_tracing)
        for (const int leaf : steps->operand_leaves) require_memory(&leaves[static_cast<std::size_t>(leaf)], 1);
    std::vector<step_kernel> kernels;
    for (int step = 0; step < steps->step_count(); ++step)
        kernels.push_back(combines ? combines : find_step(on, *steps, step, label));
    if (why != purpose::launch) return results.put_outputs(of, why);

    const int stream = on.current_stream();
    step_memory memory(on, steps->temporaries, stream);
    const auto leaf_at = [&](int leaf) -> const detail::leaf& { return leaves[static_cast<std::size_t>(leaf)]; };
    for (const int leaf : steps->operand_leaves) {
        const auto& operand = *static_cast<const array_node*>(leaf_at(leaf).object);
        if (operand.owned != ownership::position) {
            finalize(operand.storage(), evaluate);
            backend::before_read(on, operand, stream);
        }
        memory.operands.push_back(operand.data);
    }
    for (const int leaf : steps->number_leaves) memory.numbers.push_back(leaf_at(leaf).bits);
    std::vector<handle<array_node>> made;
    for (int i = 0; const stage::result& each : of.results) {
        const bool is_in_place = i++ == steps->in_place;
        made.push_back(is_in_place
                           ? share(*static_cast<const array_node*>(leaf_at(steps->operand_leaves.front()).object))
                           : backend::make_owner(on, each.type, each.extents, stream));
        memory.results.push_back(made.back().get()->data);
    }
    const std::int64_t start_ns = record::now_ns();
    for (int step = 0; step < steps->step_count(); ++step)
        launch_step(on, *kernels[static_cast<std::size_t>(step)], *steps, step, memory, stream);
    record::this_thread().add(record::counter::launch_ns, record::now_ns() - start_ns);
    for (int number = 0; handle<array_node> & each : made) results.put(of, std::move(each), number++);
}

}  // namespace kiln::inline v0_1::detail
