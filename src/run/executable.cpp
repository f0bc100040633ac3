// From a plan to loaded kernels.
#include <run/executable.hpp>

#include <compile/compiler_failure.hpp>
#include <plan/work.hpp>
#include <process/messages.hpp>
#include <run/progress.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <string>

namespace kiln::inline v0_1::detail {

namespace {

std::int64_t bytes_per_element(const std::vector<plan::operand>& operands) {
    std::int64_t bytes = 0;
    for (const plan::operand& each : operands)
        if (!each.is_position) bytes += bytes_of(each.type);
    return bytes;
}

/// Throws error where it cannot be: it calls a function of the user's.
std::unique_ptr<backend::loaded_kernel> interpret(backend::device& on, const lower::program& program,
                                                  const plan::kernel& kernel) {
    std::unique_ptr<backend::loaded_kernel> made = on.interpret(program, kernel);
    auto facts = std::make_shared<record::kernel_facts>();
    facts->name = emit::kernel_name(program, kernel);
    facts->expression = emit::expression_text(program, kernel);
    facts->origin = kernel_origin::interpreter;
    facts->found_by = record::evaluation_number();
    facts->step_count = kernel.last_step - kernel.first_step;
    facts->work = plan::work_of(program, kernel, on.target().kind);
    made->be(std::move(facts));
    return made;
}

/// `trouble`: why it was not compiled, for who cannot be interpreted either.
std::unique_ptr<backend::loaded_kernel> interpret(backend::device& on, const lower::program& program,
                                                  const plan::kernel& kernel, const std::string& trouble) {
    try {
        return interpret(on, program, kernel);
    } catch (const error& cannot) {
        if (trouble.empty()) throw;
        throw error(text::format("{}; and {}", cannot.what(), trouble));
    }
}

/// Compiled, or interpreted where the compiler failed and the source is not at fault. Throws the failure where nothing
/// runs it.
found_kernel find_or_interpret(backend::device& on, const lower::program& program, const plan::kernel& kernel,
                               const emit_function& emit, const options& wanted, const char* label,
                               std::vector<pending_publication>& pending) {
    try {
        return find_or_compile(on, program, kernel, emit(kernel), wanted, label, pending);
    } catch (const compile::compiler_failure& failure) {
        const auto say = [&](const char* until) {
            process::warn(
                text::format("{}; the interpreter runs {} (KILN_CXX names another compiler, KILN_CPU=interpret "
                             "ends this message)",
                             failure.reason(), until));
        };
        if (failure.is_for_now()) {
            say("this time");
            return {nullptr, failure.what()};
        }
        if (kernel.needs_compiled_code()) {
            say("instead");
            return {};
        }
        try {
            found_kernel interpreted{interpret(on, program, kernel)};
            say("instead");
            return interpreted;
        } catch (const error& cannot) {  // it calls a function of the user's
            throw compile_error(text::format("{}; and {}", failure.what(), cannot.what()), failure.source(),
                                failure.log());
        }
    }
}

void say_what_was_planned(const executable& made, const plan::schedule& of) {
    std::string kernels;
    for (const kernel_executable& each : made.kernels)
        kernels += (kernels.empty() ? "" : ", ") + each.loaded->facts()->name;
    process::inform(text::format("planned {} kernel{} of {} steps, {} temporaries: {}", made.kernels.size(),
                                 made.kernels.size() == 1 ? "" : "s", of.program.steps.size(), of.temporaries.size(),
                                 kernels));
}

}  // namespace

namespace {

std::int64_t bytes_of_operand(const plan::operand& of, const plan::call_values& call) {
    const int output = of.memory - call.array_count;
    std::int64_t elements = call.element_count;
    if (output >= 0 && output < call.output_count) elements = call.output_shape(output).size();
    else if (of.how != plan::access::contiguous) elements = plan::touched_elements(call, of.memory);
    return elements * bytes_of(of.type);
}

const array_node& storage_of(const plan::operand& of, const plan::call_values& call) {
    return call.arrays[static_cast<std::size_t>(of.memory)]->storage();
}

/// Neighbours of an element, which one line of memory brings.
bool are_neighbours(const plan::operand& left, const plan::operand& right, const plan::call_values& call) {
    return left.memory < call.array_count && right.memory < call.array_count && !right.is_position &&
           left.unit_axis == right.unit_axis && &storage_of(left, call) == &storage_of(right, call);
}

}  // namespace

std::int64_t bytes_of_call(const std::vector<plan::operand>& operands, const plan::call_values& call) {
    std::int64_t bytes = 0;
    for (auto each = operands.begin(); each != operands.end(); ++each) {
        if (each->is_position) continue;
        // Equal operands are one, so that without views there are no neighbours.
        if (!call.foreign) {
            bytes += bytes_of_operand(*each, call);
            continue;
        }
        const auto is_neighbour = [&](const plan::operand& other) { return are_neighbours(*each, other, call); };
        if (std::any_of(operands.begin(), each, is_neighbour)) continue;
        std::int64_t of_array = bytes_of_operand(*each, call);
        bool is_alone = true;
        for (auto other = each + 1; other != operands.end(); ++other)
            if (is_neighbour(*other)) of_array += bytes_of_operand(*other, call), is_alone = false;
        if (!is_alone) {
            const array_node& array = storage_of(*each, call);
            of_array = std::min(of_array, array.extents.size() * array.element_bytes());
        }
        bytes += of_array;
    }
    return bytes;
}

executable_maker::executable_maker(backend::device& on, const graph& described, const plan::call_class& call,
                                   const planned& plan)
    : progress_(0), on_(on), plan_(plan), made_{std::make_unique<executable>(call), {}, false} {
    for (const graph::output& each : described.outputs) made_.executable_->output_types.push_back(each.result);
    made_.executable_->temporaries = plan.schedule.temporaries;
    add_planned_kernels(static_cast<std::int64_t>(plan.schedule.kernels.size()));
}

void executable_maker::add(const plan::kernel& kernel, const emit_function& emit, const char* label) {
    const lower::program& program = plan_.schedule.program;
    kernel_executable made;
    std::string trouble;
    if (on_.toolchain()) {
        found_kernel found =
            find_or_interpret(on_, program, kernel, emit, made_.executable_->kind.wanted(), label, made_.pending);
        made.loaded = std::move(found.loaded);
        trouble = std::move(found.trouble);
    }
    if (!made.loaded && kernel.needs_compiled_code() && on_.target().kind == plan::frame::host) {
        on_.disable_persistent_rows();
        throw persistent_rows_unavailable();
    }
    if (!made.loaded) made.loaded = interpret(on_, program, kernel, trouble);
    made_.for_now = made_.for_now || !trouble.empty();
    made.places = places_of(kernel);
    made.bytes_read_per_element = bytes_per_element(kernel.inputs);
    made.bytes_written_per_element = bytes_per_element(kernel.outputs);
    made.elements_per_block = plan::elements_per_block(kernel);
    made.plan = kernel;
    made_.executable_->kernels.push_back(std::move(made));
    add_done_kernel();
}

parameter_places executable_maker::places_of(const plan::kernel& kernel) const {
    parameter_places out;
    for (int parameter = 0; const plan::parameter& each : kernel.signature) {
        const auto index = static_cast<std::size_t>(each.index);
        switch (each.what) {
            case plan::role::output: out.operands.push_back({parameter, kernel.outputs[index].memory}); break;
            case plan::role::input:
            case plan::role::position: out.operands.push_back({parameter, kernel.inputs[index].memory}); break;
            case plan::role::scalar: {
                const lower::value_id scalar = kernel.scalars[index] - plan_.schedule.program.scalar_value(0);
                out.scalars.push_back({parameter, plan_.scalar_slots[static_cast<std::size_t>(scalar)]});
                break;
            }
            case plan::role::divisor: {
                const lower::program& program = plan_.schedule.program;
                const lower::value_id divisor = kernel.scalars[static_cast<std::size_t>(kernel.divisors[index])];
                const auto scalar = static_cast<std::size_t>(divisor - program.scalar_value(0));
                out.divisors.push_back({{parameter, plan_.scalar_slots[scalar]}, program.scalars[scalar]});
                break;
            }
            case plan::role::workspace: out.workspace = parameter; break;
            case plan::role::counters: out.counters = parameter; break;
            case plan::role::layout: out.layout = parameter; break;
            case plan::role::turned: out.turned = parameter; break;
            default: out.element_count = parameter; break;
        }
        ++parameter;
    }
    out.has_scalars = !out.scalars.empty();
    return out;
}

made_executable executable_maker::finish() {
    executable& made = *made_.executable_;
    if (process::informs_in_detail()) say_what_was_planned(made, plan_.schedule);
    made.kernel_count = static_cast<std::int64_t>(made.kernels.size());
    const kernel_executable& first = made.kernels.front();
    const std::vector<element_type>& scalars = plan_.schedule.program.scalars;
    const bool wide_scalar =
        std::any_of(scalars.begin(), scalars.end(), [](element_type each) { return bytes_of(each) > 8; });
    made.plain = !wide_scalar && !first.plan.reduces() && made.kernels.size() == 1 && made.temporaries.empty() &&
                 !first.plan.has_layout() && first.plan.signature.size() <= most_plain_parameters;
    return std::move(made_);
}

const executable* add(executable_list& executables, std::unique_ptr<executable> made) noexcept {
    executable* const added = made.release();
    added->next = executables.load(std::memory_order_relaxed);
    while (
        !executables.compare_exchange_weak(added->next, added, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return added;
}

}  // namespace kiln::inline v0_1::detail
