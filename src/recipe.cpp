// The cold path: from a graph to loaded kernels.
#include <recipe.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/say_once.hpp>
#include <emit/source.hpp>
#include <launch/kernel_store.hpp>
#include <lower/lower.hpp>
#include <plan/layout.hpp>
#include <plan/operands.hpp>
#include <plan/partition.hpp>
#include <record/stopwatch.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

namespace kiln::detail {

namespace {

using record::counter;
using record::stopwatch;

/// Loaded kernels of the current device, by whole key.
class kernel_table {
public:
    using entry = std::shared_ptr<const launch::loaded_kernel>;

    static kernel_table& instance() {
        static kernel_table* const table = new kernel_table;  // leaked: static arrays may be evaluated late
        return *table;
    }

    /// Held while one loads, so that a kernel is loaded once; warm calls do not come here.
    template <class Load>
    entry find_or_load(const jit_cache::key& key, Load load) {
        const std::lock_guard lock(mutex_);
        clear_after_device_change();
        const std::string name(key.bytes());
        if (const auto found = kernels_.find(name); found != kernels_.end()) return found->second;
        entry loaded = load();
        if (loaded) kernels_.emplace(name, loaded);
        return loaded;
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        kernels_.clear();
    }

private:
    void clear_after_device_change() {
        if (generation_ == launch::device_generation()) return;
        generation_ = launch::device_generation();
        kernels_.clear();
    }

    std::mutex mutex_;
    std::unordered_map<std::string, entry> kernels_;
    int generation_ = 0;
};

/// How exact the calling thread's kernels are to be.
compile::arithmetic wanted_arithmetic() noexcept {
    if (thread_options.fast_math) return compile::arithmetic::fast;
    return thread_options.fma ? compile::arithmetic::contracted : compile::arithmetic::exact;
}

jit_cache::key key_of(const emit::source& source, const compile::toolchain& with) {
    jit_cache::key key;
    key.add("source", source.text);
    key.add("target", with.target());
    key.add("compiler", with.fingerprint());
    key.add("options", with.options(wanted_arithmetic()));
    key.add("generator", text::format("kiln {}", emit::generator_version));
    return key;
}

jit_cache::artifact compile(compile::toolchain& with, const emit::source& source, const char* label) {
    record::tally& counts = record::this_thread();
    counts.add(counter::misses, 1);
    {
        const stopwatch opening(counter::toolchain_ns);
        with.open();
    }
    stopwatch compiling(counter::compile_ns);
    compile::binary made = with.compile(source, wanted_arithmetic());
    const std::int64_t compile_ns = compiling.stop();
    counts.add(counter::compiles, 1);

    jit_cache::artifact out{std::move(made.bytes), {}};
    out.facts.push_back({"kernel", source.name});
    if (label) out.facts.push_back({"label", label});
    out.facts.push_back({"compile_ms", text::format("{:.3f}", static_cast<double>(compile_ns) * 1e-6)});
    out.facts.push_back({"created", text::format("{}", record::unix_s())});
    for (auto& [name, value] : made.facts) out.facts.push_back({name, value});
    return out;
}

/// From the store, or compiled; nullptr when the device turned out to run no compiled code.
std::shared_ptr<const launch::loaded_kernel> find_or_compile(launch::device& on, const lower::program& program,
                                                             const plan::kernel& kernel, const emit::source& source,
                                                             const char* label,
                                                             std::vector<pending_publication>& pending) {
    compile::toolchain& with = *on.toolchain();
    const jit_cache::key key = key_of(source, with);
    std::shared_ptr<const launch::loaded_kernel> loaded;

    const auto load = [&](const jit_cache::artifact& from, jit_cache::origin origin) {
        const stopwatch loading(counter::load_ns);
        loaded = kernel_table::instance().find_or_load(
            key, [&] { return kernel_table::entry(on.load(from.payload, source.name, program, kernel)); });
        if (loaded || origin != jit_cache::origin::made) return loaded != nullptr;
        if (!on.toolchain()) return true;
        throw device_error(text::format("kiln: load: the device does not take {}, compiled just now for {}",
                                        source.name, with.target()));
    };

    stopwatch finding(counter::find_ns);
    const jit_cache::found found = launch::kernel_store().find_or_make(
        key, [&] { return compile(with, source, label); }, load);
    finding.stop();
    if (found.from == jit_cache::origin::memory) record::this_thread().add(counter::memory_hits, 1);
    if (found.from == jit_cache::origin::disk) record::this_thread().add(counter::disk_hits, 1);
    if (found.from == jit_cache::origin::made && loaded) pending.push_back({key, found.value});
    return loaded;
}

/// What runs a kernel that the compiler failed on, whose source is not at fault. Throws the failure where nothing does.
std::shared_ptr<const launch::loaded_kernel> instead_of_compiled(launch::device& on, const lower::program& program,
                                                                 const plan::kernel& kernel,
                                                                 const compile::compiler_failure& failure) {
    const auto say = [&] {
        compile::say_once(failure.reason() +
                          "; the interpreter runs instead (KILN_CXX names another compiler, "
                          "KILN_CPU=interpret ends this message)");
    };
    if (kernel.keeps_rows) {
        say();
        on.keep_no_rows();
        throw rows_no_longer_kept();
    }
    try {
        std::shared_ptr<const launch::loaded_kernel> interpreted = on.interpret(program, kernel);
        say();
        return interpreted;
    } catch (const error&) {
        throw failure;  // it calls a function of the user's
    }
}

emit::source emit_kernel(launch::device& on, const lower::program& program, const plan::kernel& kernel) {
    const stopwatch emitting(counter::emit_ns);
    return emit::emit(program, kernel, on.target().kind);
}

std::int64_t bytes_per_element(const std::vector<plan::operand>& operands) {
    std::int64_t bytes = 0;
    for (const plan::operand& each : operands)
        if (!each.is_position) bytes += bytes_of(each.type);
    return bytes;
}

std::string cut_text(const lower::program& program, const plan::kernel& kernel, const plan::target& on) {
    const std::string where = text::format("after step {} of {}: ", kernel.last_step, program.steps.size());
    switch (kernel.why) {
        case plan::kernel_end::complete: return {};
        case plan::kernel_end::parameters:
            return where + text::format("a kernel takes at most {} bytes of parameters",
                                        static_cast<std::size_t>(on.max_parameters) * sizeof(void*));
        case plan::kernel_end::steps: return where + text::format("a kernel has at most {} steps", plan::max_steps);
        case plan::kernel_end::unfused: return where + "options.fuse is off";
    }
    return {};
}

struct planned {
    plan::schedule schedule;
    std::vector<int> scalar_slots;
};

planned plan_call(launch::device& on, const graph& described, const plan::bindings& call) {
    lower::lowered lowered = [&] {
        const stopwatch lowering(counter::lower_ns);
        std::vector<int> numbers;
        std::vector<std::uint64_t> baked;
        for (int slot = 0; slot < call.leaf_count; ++slot) {
            numbers.push_back(call.number_at(slot));
            baked.push_back(call.leaves[slot].bits);
        }
        return lower::lower(described, numbers, baked);
    }();
    const stopwatch planning(counter::plan_ns);
    return {plan::partition(std::move(lowered.code), call, on.target(), thread_options.fuse),
            std::move(lowered.scalar_slots)};
}

}  // namespace

std::int64_t bytes_of_call(const std::vector<plan::operand>& operands, const plan::bindings& call) {
    std::int64_t bytes = 0;
    for (const plan::operand& each : operands) {
        const bool is_temporary = each.memory >= call.array_count + call.output_count;
        const std::int64_t elements = is_temporary ? call.element_count : plan::touched_elements(call, each.memory);
        if (!each.is_position) bytes += elements * bytes_of(each.type);
    }
    return bytes;
}

void forget_kernels() {
    kernel_table::instance().clear();
    launch::kernel_store().forget_memory();
}

made_recipe make_recipe(launch::device& on, const graph& described, const plan::bindings& call, const char* label) {
    planned plan = plan_call(on, described, call);
    const lower::program& program = plan.schedule.program;

    made_recipe out{std::make_unique<recipe>(), {}};
    out.recipe_->key.assign(call.key.data(), call.key.data() + call.key_length);
    for (const graph::output& each : described.outputs) out.recipe_->output_types.push_back(each.result);
    out.recipe_->temporaries = plan.schedule.temporaries;
    for (const plan::kernel& kernel : plan.schedule.kernels) {
        kernel_recipe made;
        try {
            if (on.toolchain())
                made.loaded =
                    find_or_compile(on, program, kernel, emit_kernel(on, program, kernel), label, out.pending);
        } catch (const compile::compiler_failure& failure) {
            made.loaded = instead_of_compiled(on, program, kernel, failure);
        }
        if (!made.loaded) made.loaded = on.interpret(program, kernel);
        for (const lower::value_id scalar : kernel.scalars)
            made.scalar_slots.push_back(plan.scalar_slots[static_cast<std::size_t>(scalar - program.scalar_value(0))]);
        for (const auto* operands : {&kernel.outputs, &kernel.inputs})
            for (const plan::operand& each : *operands) made.memories.push_back(each.memory);
        made.bytes_read_per_element = bytes_per_element(kernel.inputs);
        made.bytes_written_per_element = bytes_per_element(kernel.outputs);
        made.plan = kernel;
        out.recipe_->kernels.push_back(std::move(made));
    }
    out.recipe_->kernel_count = static_cast<std::int64_t>(out.recipe_->kernels.size());
    const kernel_recipe& first = out.recipe_->kernels.front();
    const bool wide_scalar = std::any_of(program.scalars.begin(), program.scalars.end(),
                                         [](element_type each) { return bytes_of(each) > 8; });
    out.recipe_->plain = !wide_scalar && !first.plan.reduces() && out.recipe_->kernels.size() == 1 &&
                         out.recipe_->temporaries.empty() && !first.plan.has_layout() &&
                         first.memories.size() + first.scalar_slots.size() < most_plain_parameters;
    return out;
}

std::shared_ptr<const launch::loaded_kernel> load_kernel(launch::device& on, const emit::source& source,
                                                         const char* label) {
    std::vector<pending_publication> pending;
    auto loaded = find_or_compile(on, lower::program(), plan::kernel(), source, label, pending);
    for (const pending_publication& each : pending) launch::kernel_store().publish(each.key, each.made);
    return loaded;
}

void explain_source(launch::device& on, const emit::source& source, kernel_explanation& into) {
    const jit_cache::key key = key_of(source, *on.toolchain());
    into.name = source.name;
    into.source = source.text;
    into.cache_key = jit_cache::to_hex(key.hash());
    switch (launch::kernel_store().peek(key)) {
        case jit_cache::origin::memory: into.origin = kernel_origin::memory; break;
        case jit_cache::origin::disk: into.origin = kernel_origin::disk; break;
        case jit_cache::origin::made: into.origin = kernel_origin::compile; break;
    }
}

explanation explain_recipe(launch::device& on, const graph& described, const plan::bindings& call) {
    const planned plan = plan_call(on, described, call);
    explanation out;
    for (const element_type type : plan.schedule.temporaries)
        out.temporary_bytes += call.element_count * bytes_of(type);
    if (call.element_count == 0) return out;
    for (const plan::kernel& kernel : plan.schedule.kernels) {
        kernel_explanation each;
        each.name = emit::kernel_name(plan.schedule.program, kernel);
        each.expression = emit::expression_text(plan.schedule.program, kernel);
        each.cut = cut_text(plan.schedule.program, kernel, on.target());
        each.target = on.describe().target;
        each.origin = kernel_origin::interpreter;
        if (on.toolchain()) explain_source(on, emit_kernel(on, plan.schedule.program, kernel), each);
        each.bytes_read = bytes_of_call(kernel.inputs, call);
        each.bytes_written = bytes_of_call(kernel.outputs, call);
        each.operation_count = (kernel.last_step - kernel.first_step) * call.element_count;
        each.elements_per_thread = kernel.elements_per_thread * kernel.rows_per_thread;
        each.threads_per_block = kernel.threads_per_block;
        each.block_count = plan::block_count(kernel, call);
        out.kernels.push_back(std::move(each));
    }
    return out;
}

}  // namespace kiln::detail
