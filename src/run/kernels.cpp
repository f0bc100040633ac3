#include <run/kernels.hpp>

#include <device/devices.hpp>
#include <device/kernel_store.hpp>
#include <jit_cache/trust.hpp>
#include <plan/work.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <record/stopwatch.hpp>
#include <run/dump.hpp>
#include <run/missed.hpp>
#include <run/progress.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <string>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

using record::counter;
using record::stopwatch;

kernel_origin origin_of(jit_cache::origin from) noexcept {
    switch (from) {
        case jit_cache::origin::memory: return kernel_origin::memory;
        case jit_cache::origin::disk: return kernel_origin::disk;
        case jit_cache::origin::made: break;
    }
    return kernel_origin::compile;
}

/// What profiles say of it.
std::shared_ptr<const record::kernel_facts> facts_of(const emit::source& source, std::string key,
                                                     const lower::program& program, const plan::kernel& kernel,
                                                     plan::frame on, const std::string& why, kernel_origin origin) {
    auto made = std::make_shared<record::kernel_facts>();
    made->name = source.name;
    made->expression = source.expression;
    made->key = std::move(key);
    made->origin = origin;
    made->why = why;
    made->found_by = record::evaluation_number();
    made->step_count = kernel.last_step - kernel.first_step;
    made->work = plan::work_of(program, kernel, on);
    made->source = std::make_shared<const std::string>(source.text);
    return made;
}

compile::arithmetic arithmetic_of(const options& wanted) noexcept {
    if (wanted.fast_math) return compile::arithmetic::fast;
    return wanted.fma ? compile::arithmetic::contracted : compile::arithmetic::exact;
}

jit_cache::key key_of(const emit::source& source, const compile::toolchain& with, compile::arithmetic how) {
    jit_cache::key key;
    // The first two say whose relatives a kernel is (jit_cache/key.hpp).
    key.add("expression", source.expression);
    key.add("source", source.text);
    key.add("target", with.target());
    key.add("compiler", with.fingerprint());
    key.add("options", with.options(how));
    key.add("generator", text::format("kiln {}", emit::generator_version));
    return key;
}

struct compile_policy {
    bool never = false;

    compile_policy() {
        const std::string asked = jit_cache::trust::environment("KILN_COMPILE");
        never = asked == "never";
        if (!never && !asked.empty() && asked != "wait")
            process::warn("KILN_COMPILE=" + asked + " is neither wait (the default) nor never");
    }
};
constinit process::immortal<compile_policy> policy;

/// Where nothing may or can be compiled, what another compiler made will do.
std::string_view free_field(const compile::toolchain& with) {
    return policy().never || !with.is_there() ? "compiler" : std::string_view();
}

jit_cache::artifact compile(compile::toolchain& with, const emit::source& source, compile::arithmetic how,
                            const char* label, const miss_reading& missed) {
    record::tally& counts = record::this_thread();
    counts.add(counter::misses, 1);
    counts.add(missed.counter, 1);
    const auto what = [&] {
        return text::format("{}{}{} ({}) for {}", label ? label : "", label ? ": " : "", source.name, source.expression,
                            with.target());
    };
    if (policy().never)
        throw compile_error(
            text::format("kiln: compile: KILN_COMPILE=never, and {} is neither in memory nor on disk: {}. Compile "
                         "it where that is allowed (k::prepare, or one run without KILN_COMPILE), and "
                         "bring it along: kiln-cache pack",
                         what(), missed.text),
            {}, {});
    tell_of_compile(source.name, source.expression, label);
    {
        const stopwatch opening(counter::toolchain_ns);
        with.open();
    }
    stopwatch compiling(counter::compile_ns);
    compile::binary made = with.compile(source, how);
    const std::int64_t compile_ns = compiling.stop();
    if (record::is_profiling()) {
        record::timed_event seen(profiled::compile, source.name.c_str());
        seen->begin_ns = compiling.begin_ns();
        seen->expression = source.expression;
        seen->origin = kernel_origin::compile;
        seen->why = missed.text;
        seen.finish();
    }
    counts.add(counter::compiles, 1);
    if (process::informs())
        process::inform(text::format("compiled {} in {:.1f} ms, since {}", what(),
                                     static_cast<double>(compile_ns) * 1e-6, missed.text));

    jit_cache::artifact out{std::move(made.bytes), {}, {}};
    out.facts.push_back({"kernel", source.name});
    if (label) out.facts.push_back({"label", label});
    out.facts.push_back({"compile_ms", text::format("{:.3f}", static_cast<double>(compile_ns) * 1e-6)});
    out.facts.push_back({"created", text::format("{}", record::unix_s())});
    for (auto& [name, value] : made.facts) out.facts.push_back({name, std::move(value)});
    for (auto& [name, value] : made.extras) out.extras.push_back({name, std::move(value)});
    return out;
}

void say_taken_from_another(const jit_cache::found& found, const compile::toolchain& with) {
    if (found.differences.empty()) return;
    process::warn(
        text::format("{}: kernels come from the store as another compiler made them ({}), and new ones cannot be "
                     "compiled{}",
                     policy().never ? "KILN_COMPILE=never" : for_people(with.fingerprint()),
                     for_people(found.differences.front().stored),
                     policy().never ? "" : "; 'kiln-cache doctor' says what was looked for, and where"));
}

/// Whoever unloads a kernel to make room gets its binary again: from the store, or compiled.
backend::loaded_kernel::binary_function binary_again(backend::known_device& device,
                                                     std::shared_ptr<const jit_cache::key> key, std::string name,
                                                     compile::arithmetic how) {
    return [&device, key = std::move(key), name = std::move(name), how] {
        // Whoever launches does so on the device itself, whatever the kernel was found for (a recording, perhaps).
        backend::device* const on = backend::device_if_started(device);
        compile::toolchain* const with = on ? on->toolchain() : nullptr;
        if (!with) throw backend::load_postponed("kiln: load: " + name + ": the device runs no compiled code any more");
        const emit::source source{name, std::string(key->field("source").value_or("")),
                                  std::string(key->field("expression").value_or(""))};
        const jit_cache::found found = backend::kernel_store().find_or_make(
            *key,
            [&](const jit_cache::miss& missed) {
                return compile(*with, source, how, nullptr, read(missed, free_field(*with)));
            },
            nullptr, free_field(*with));
        if (found.from == jit_cache::origin::made) backend::kernel_store().publish(*key, found.value);
        return found.value->payload;
    };
}

}  // namespace

void forget_kernels() {
    backend::current_device().kernels().clear();
    backend::kernel_store().forget_memory();
}

found_kernel find_or_compile(backend::device& on, const lower::program& program, const plan::kernel& kernel,
                             const emit::source& source, const options& wanted, const char* label,
                             std::vector<pending_publication>& pending) {
    compile::toolchain& with = *on.toolchain();
    const compile::arithmetic how = arithmetic_of(wanted);
    {
        // The first time the compiler is asked which it is: no part of finding a kernel.
        const stopwatch asking(counter::toolchain_ns);
        static_cast<void>(with.fingerprint());
    }
    stopwatch finding(counter::find_ns);
    const auto key = std::make_shared<const jit_cache::key>(key_of(source, with, how));
    record::tally& counts = record::this_thread();
    if (auto loaded = on.kernels().find(*key)) {
        counts.add(counter::memory_hits, 1);
        return {std::move(loaded)};
    }

    std::string why;
    std::shared_ptr<const backend::loaded_kernel> loaded;
    const auto load = [&](const jit_cache::artifact& from, jit_cache::origin origin) {
        const stopwatch loading(counter::load_ns);
        loaded = on.kernels().find_or_load(key, why, [&]() -> backend::kernel_table::kernel {
            std::unique_ptr<backend::loaded_kernel> made = on.load(from.payload, source.name, program, kernel);
            if (!made) return made;
            if (dumps()) dump(source, *key, from, on.target().kind == plan::frame::cuda);
            made->load_again_from(binary_again(*on.known(), key, source.name, how));
            made->be(facts_of(source, jit_cache::to_hex(key->name()), program, kernel, on.target().kind, why,
                              origin_of(origin)));
            return made;
        });
        if (loaded || origin != jit_cache::origin::made) return loaded != nullptr;
        if (!on.toolchain()) return true;
        throw device_error(text::format("kiln: load: the device does not take {}, compiled just now for {}",
                                        source.name, with.target()));
    };
    const auto make = [&](const jit_cache::miss& missed) {
        miss_reading reading = read(missed, free_field(with));
        jit_cache::artifact made = compile(with, source, how, label, reading);
        why = std::move(reading.text);
        return made;
    };

    jit_cache::found found;
    try {
        found = backend::kernel_store().find_or_make(*key, make, load, free_field(with));
    } catch (const backend::load_postponed& trouble) {
        process::warn(text::format("{}; the interpreter runs this time", trouble.what()));
        return {nullptr, trouble.what()};
    }
    const std::int64_t find_ns = finding.stop();
    if (process::informs_in_detail())
        process::inform(text::format("{}{}{} ({}) for {}: {}, looked for in {:.1f} us, key {}", label ? label : "",
                                     label ? ": " : "", source.name, source.expression, with.target(),
                                     found.from == jit_cache::origin::made   ? "compiled"
                                     : found.from == jit_cache::origin::disk ? "from disk"
                                                                             : "from memory",
                                     static_cast<double>(find_ns) * 1e-3, jit_cache::to_hex(key->name())));
    if (found.from == jit_cache::origin::disk && record::is_profiling()) {
        record::timed_event seen(profiled::store, "read");
        // Loading, which has a phase of its own, came last.
        seen->begin_ns = finding.begin_ns();
        seen->key = jit_cache::to_hex(key->name());
        seen->expression = source.expression;
        seen->bytes_read = static_cast<std::int64_t>(found.value->payload.size());
        seen.finish_at(seen->begin_ns + find_ns);
    }
    switch (found.from) {
        case jit_cache::origin::memory: counts.add(counter::memory_hits, 1); break;
        case jit_cache::origin::disk: counts.add(counter::disk_hits, 1); break;
        case jit_cache::origin::made:
            if (loaded) pending.push_back({*key, found.value});
            break;
    }
    say_taken_from_another(found, with);
    return {std::move(loaded)};
}

void publish(const std::vector<pending_publication>& made) {
    for (const pending_publication& each : made) {
        if (!record::is_profiling()) [[likely]] {
            backend::kernel_store().publish(each.key, each.made);
            continue;
        }
        record::timed_event seen(profiled::store, "write");
        backend::kernel_store().publish(each.key, each.made);
        seen->key = jit_cache::to_hex(each.key.name());
        seen->bytes_written = static_cast<std::int64_t>(each.made->payload.size());
        seen.finish();
    }
}

std::shared_ptr<const backend::loaded_kernel> load_kernel(backend::device& on, const emit::source& source,
                                                          const plan::kernel_signature& takes, const options& wanted,
                                                          const char* label) {
    std::vector<pending_publication> pending;
    plan::kernel kernel;
    kernel.signature = takes;
    kernel.dynamic_shared_bytes = source.dynamic_shared_bytes;
    auto found = find_or_compile(on, lower::program(), kernel, source, wanted, label, pending);
    publish(pending);
    return std::move(found.loaded);
}

std::shared_ptr<const backend::loaded_kernel> explain_source(backend::device& on, const emit::source& source,
                                                             const options& wanted, kernel_explanation& into) {
    const compile::toolchain& with = *on.toolchain();
    const jit_cache::key key = key_of(source, with, arithmetic_of(wanted));
    into.name = source.name;
    into.source = source.text;
    into.cache_key = jit_cache::to_hex(key.name());
    if (const std::optional<std::string> why = on.kernels().why(key)) {
        into.origin = kernel_origin::memory;
        into.why = *why;
        return on.kernels().find(key);
    }
    const jit_cache::prediction predicted = backend::kernel_store().peek(key, free_field(with));
    into.origin = origin_of(predicted.from);
    if (predicted.from != jit_cache::origin::made) return nullptr;
    // Without a compiler the CPU interprets what is not stored; a GPU cannot.
    if (on.target().kind == plan::frame::host && !with.is_there() && !policy().never)
        into.origin = kernel_origin::interpreter;
    into.why = read(predicted.missed, free_field(with)).text;
    return nullptr;
}

}  // namespace kiln::inline v0_1::detail
