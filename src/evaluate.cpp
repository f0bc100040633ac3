// The way of an expression, on one screen: bind the call, find its recipe or make one, launch, record. Each step is a room
// of its own; src/README.md is the map.
#include <call_memory.hpp>
#include <capture/term.hpp>
#include <launch/stream_order.hpp>
#include <record/stopwatch.hpp>
#include <recipe.hpp>
#include <run_time_sites.hpp>

#include <kiln/evaluate.hpp>
#include <kiln/options.hpp>

#include <cstring>

namespace kiln {

thread_local constinit options detail::thread_options{};

namespace detail {

namespace {

using record::counter;

/// What tells calls of one expression type apart beside the call itself.
std::uint8_t salt() noexcept {
    return static_cast<std::uint8_t>(thread_options.fuse | launch::device_generation() << 1);
}

const recipe* find(const std::atomic<const recipe*>& recipes, const plan::bindings& call) noexcept {
    for (const recipe* each = recipes.load(std::memory_order_acquire); each; each = each->next)
        if (each->key.size() == call.key_length && std::memcmp(each->key.data(), call.key.data(), call.key_length) == 0)
            return each;
    return nullptr;
}

/// Two threads may make the same recipe; they share its kernels, and either recipe will do.
const recipe* add(std::atomic<const recipe*>& recipes, std::unique_ptr<recipe> made) noexcept {
    recipe* const added = made.release();  // kept for good, like the code of the expression that it belongs to
    added->next = recipes.load(std::memory_order_relaxed);
    while (!recipes.compare_exchange_weak(added->next, added, std::memory_order_release, std::memory_order_relaxed)) {}
    return added;
}

void launch_kernels(launch::device& on, const recipe& with, plan::bindings& call, const leaf* leaves, call_memory& memory,
                    int stream) {
    record::tally& counts = record::this_thread();
    const std::int64_t start_ns = record::now_ns();
    for (const kernel_recipe& each : with.kernels) {
        const kernel_arguments arguments(each, call, leaves, memory);
        on.launch(*each.loaded, arguments.for_launch(stream));
        counts.add(counter::bytes_read, each.bytes_read_per_element * call.element_count);
        counts.add(counter::bytes_written, each.bytes_written_per_element * call.element_count);
    }
    counts.add(counter::launch_ns, record::now_ns() - start_ns);
    counts.add(counter::launches, static_cast<std::int64_t>(with.kernels.size()));
}

template <class Describe>
void evaluate_call(std::atomic<const recipe*>& recipes, Describe describe, const leaf* leaves, int leaf_count,
                   output* outputs, int output_count, const char* label, purpose why) {
    launch::device& on = launch::current_device();
    plan::bindings call(leaf_count, output_count);
    plan::bind(call, leaves, leaf_count, outputs, output_count, salt());
    if (call.element_count == 0) {
        if (why == purpose::launch) make_empty_outputs(on, call, describe(), outputs);
        return;
    }

    const recipe* with = find(recipes, call);
    std::vector<pending_publication> pending;
    if (with) {
        record::this_thread().add(counter::memory_hits, static_cast<std::int64_t>(with->kernels.size()));
    } else {
        made_recipe made = make_recipe(on, describe(), call, label);
        pending = std::move(made.pending);
        with = add(recipes, std::move(made.recipe_));
    }

    if (why == purpose::launch) {
        const int stream = on.current_stream();
        call_memory memory(on, call, *with, outputs, output_count, stream);
        launch_kernels(on, *with, call, leaves, memory, stream);
        memory.hand_over(outputs, output_count);
    }
    // After the launch, and on another thread: nobody waits for the disk.
    for (const pending_publication& each : pending) kernel_store().publish(each.key, each.made);
}

graph described_by(const site& of) {
    graph out;
    of.describe(out);
    return out;
}

}  // namespace

void evaluate(site& of, const leaf* leaves, int leaf_count, output* outputs, int output_count, const char* label,
              purpose why) {
    evaluate_call(of.recipes, [&] { return described_by(of); }, leaves, leaf_count, outputs, output_count, label, why);
}

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    thread_local flat_terms flat;
    flatten(roots, output_count, flat);
    run_time_site& of = find_run_time_site(flat.described);
    evaluate_call(of.recipes, [&] { return of.described; }, flat.leaves.data(), static_cast<int>(flat.leaves.size()), outputs,
                  output_count, label, why);
}

explanation explain(site& of, const leaf* leaves, int leaf_count, int output_count) {
    const std::vector<output> outputs(static_cast<std::size_t>(output_count));
    plan::bindings call(leaf_count, output_count);
    plan::bind(call, leaves, leaf_count, outputs.data(), output_count, salt());
    return explain_recipe(launch::current_device(), described_by(of), call);
}

explanation explain(const handle<term>* roots, int output_count) {
    flat_terms flat;
    flatten(roots, output_count, flat);
    const int leaf_count = static_cast<int>(flat.leaves.size());
    const std::vector<output> outputs(static_cast<std::size_t>(output_count));
    plan::bindings call(leaf_count, output_count);
    plan::bind(call, flat.leaves.data(), leaf_count, outputs.data(), output_count, salt());
    return explain_recipe(launch::current_device(), flat.described, call);
}

}  // namespace detail
}  // namespace kiln
