// The way of an expression, on one screen: bind the call, find its recipe or make one, launch, record. Each step is a room
// of its own; src/README.md is the map.
#include <capture/term.hpp>
#include <launch/kernel_store.hpp>
#include <launch_call.hpp>
#include <process/thread_state.hpp>
#include <recipe.hpp>
#include <reductions.hpp>
#include <run_time_sites.hpp>

#include <kiln/evaluate.hpp>
#include <kiln/options.hpp>

#include <bit>

namespace kiln::inline v0_1 {

thread_local constinit options detail::thread_options{};

namespace detail {

namespace {

using record::counter;

/// What tells calls of one expression type apart beside the call itself: how the thread wants its kernels, and the device.
/// No recipe is kept for a thread that looks at a function.
std::uint16_t salt() noexcept {
    static_assert(sizeof(options) == 1);
    const unsigned wanted = std::bit_cast<std::uint8_t>(thread_options) & 0b111u;
    return static_cast<std::uint16_t>(wanted | launch::call_tag() | static_cast<unsigned>(is_tracing) << 10);
}

const recipe* find(const std::atomic<const recipe*>& recipes, const plan::bindings& call) noexcept {
    const std::uint64_t* const wanted = call.key.data();
    for (const recipe* each = recipes.load(std::memory_order_acquire); each; each = each->next) {
        // The header tells most classes apart; the rest is compared only if it does not.
        if (each->key[0] != wanted[0] || each->key.size() != call.key_length) continue;
        std::size_t same = 1;
        while (same < call.key_length && each->key[same] == wanted[same]) ++same;
        if (same == call.key_length) return each;
    }
    return nullptr;
}

/// Two threads may make the same recipe; they share its kernels, and either recipe will do.
const recipe* add(std::atomic<const recipe*>& recipes, std::unique_ptr<recipe> made) noexcept {
    recipe* const added = made.release();  // kept for good, like the code of the expression that it belongs to
    added->next = recipes.load(std::memory_order_relaxed);
    while (!recipes.compare_exchange_weak(added->next, added, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return added;
}

/// The iteration has no elements, but of several outputs some may have: those are computed alone.
void evaluate_nothing(launch::device& on, const graph& described, const plan::bindings& call, output* outputs,
                      const char* label, purpose why) {
    std::vector<output> made(outputs, outputs + call.output_count);
    std::vector<handle<array_node>> kept;
    for (int i = 0; i < call.output_count; ++i) {
        output& each = made[static_cast<std::size_t>(i)];
        if (call.output_shape(i).size() != 0) {
            std::vector<leaf> leaves;
            const graph alone = only_output(described, i, call.leaves, leaves);
            evaluate(find_run_time_site(alone), leaves.data(), static_cast<int>(leaves.size()), &each, 1, label, why);
        } else if (why == purpose::launch) {
            each.written = make_empty_output(on, call, described, i);
        }
        if (!call.reused) kept.emplace_back(each.written);
    }
    for (int i = 0; i < call.output_count; ++i) outputs[i].written = made[static_cast<std::size_t>(i)].written;
    for (handle<array_node>& each : kept) (void)each.release();
}

/// The first call of its class: lower, plan, emit, find or compile, then launch.
[[gnu::noinline]] void evaluate_cold(launch::device& on, std::atomic<const recipe*>& recipes, const graph& described,
                                     const plan::bindings& call, output* outputs, const char* label, purpose why) {
    if (call.element_count == 0) {
        evaluate_nothing(on, described, call, outputs, label, why);
        return;
    }
    if (is_tracing) require_memory(call.leaves, call.leaf_count);
    made_recipe made = make_recipe(on, described, call, label);
    // A recording keeps pointers to what it was told to launch.
    const bool passes = is_tracing || (made.for_now && !launch::detail::recorder);
    const recipe* const used = passes ? made.recipe_.get() : add(recipes, std::move(made.recipe_));
    if (why == purpose::launch) launch_recipe(on, *used, call, outputs, record::this_thread());
    // After the launch, and on another thread: nobody waits for the disk.
    for (const pending_publication& each : made.pending) launch::kernel_store().publish(each.key, each.made);
}

template <class Describe>
void bind_call(plan::bindings& call, Describe describe, const plan::output_leaves* known = nullptr) {
    if (call.output_count == 1) [[likely]]
        return plan::bind(call, salt());
    plan::output_leaves made;
    const std::function<const plan::output_leaves&()> leaves_of = [&]() -> const plan::output_leaves& {
        return known ? *known : made = leaves_of_outputs(describe());
    };
    plan::bind(call, salt(), &leaves_of);
}

template <class Describe>
void evaluate_call(std::atomic<const recipe*>& recipes, Describe describe, const leaf* leaves, int leaf_count,
                   output* outputs, int output_count, const char* label, purpose why,
                   const plan::output_leaves* leaves_of_each = nullptr) {
    launch::device& on = launch::current_device();
    plan::bindings call(leaves, leaf_count, outputs, output_count);
    bind_call(call, describe, leaves_of_each);
    const recipe* const known = find(recipes, call);
    if (!known || call.element_count == 0) [[unlikely]]
        return evaluate_cold(on, recipes, describe(), call, outputs, label, why);

    record::tally& counts = record::this_thread();
    counts.add(counter::memory_hits, known->kernel_count);
    if (why == purpose::launch) launch_recipe(on, *known, call, outputs, counts);
}

graph described_by(const site& of) {
    graph out;
    of.describe(out);
    return out;
}

}  // namespace

void evaluate(run_time_site& of, const leaf* leaves, int leaf_count, output* outputs, int output_count,
              const char* label, purpose why) {
    evaluate_call(
        of.recipes, [&] { return of.described; }, leaves, leaf_count, outputs, output_count, label, why,
        &of.leaves_of_each);
}

void evaluate(site& of, const leaf* leaves, int leaf_count, output* outputs, int output_count, const char* label,
              purpose why) {
    evaluate_call(
        of.recipes, [&] { return described_by(of); }, leaves, leaf_count, outputs, output_count, label, why);
}

bool evaluate_reduced(site& of, const leaf* leaves, const int* leaf_ends, const reduction_call* calls, output* outputs,
                      int output_count, const char* label, purpose why) {
    launch::device& on = launch::current_device();
    shape whole;
    if (!thread_options.fuse || !one_iteration(leaves, leaf_ends, calls, outputs, output_count, on.target(), whole))
        return false;
    evaluate_call(
        of.recipes, [&] { return described_by(of); }, leaves, leaf_ends[output_count - 1], outputs, output_count, label,
        why);
    for (int i = 0; i < output_count; ++i)
        if (outputs[i].reduces && outputs[i].written)
            drop_axes(*outputs[i].written, reduced_shape(whole, outputs[i].reduced_axes, calls[i].keeps_axes));
    return true;
}

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label, purpose why) {
    if (has_reductions(roots, output_count)) return evaluate_reductions(roots, outputs, output_count, label, why);
    flat_terms& flat = process::thread_state<flat_terms, run_time_site>();
    flatten(roots, output_count, flat);
    evaluate(find_run_time_site(flat.described), flat.leaves.data(), static_cast<int>(flat.leaves.size()), outputs,
             output_count, label, why);
}

explanation explain(site& of, const leaf* leaves, int leaf_count, int output_count) {
    launch::device& on = launch::current_device();  // chosen before anything is bound for it
    const std::vector<output> outputs(static_cast<std::size_t>(output_count));
    plan::bindings call(leaves, leaf_count, outputs.data(), output_count);
    bind_call(call, [&] { return described_by(of); });
    return explain_recipe(on, described_by(of), call);
}

void evaluate_group(const reduction_group& of, output* outputs, const char* label, purpose why) {
    flat_terms flat;
    flatten_group(of, flat, outputs);
    evaluate(find_run_time_site(flat.described), flat.leaves.data(), static_cast<int>(flat.leaves.size()), outputs,
             static_cast<int>(of.results.size()), label, why);
}

explanation explain_group(const reduction_group& of) {
    launch::device& on = launch::current_device();
    flat_terms flat;
    std::vector<output> outputs(of.results.size());
    flatten_group(of, flat, outputs.data());
    plan::bindings call(flat.leaves.data(), static_cast<int>(flat.leaves.size()), outputs.data(),
                        static_cast<int>(outputs.size()));
    bind_call(call, [&] { return flat.described; });
    return explain_recipe(on, flat.described, call);
}

explanation explain(const handle<term>* roots, int output_count) {
    if (has_reductions(roots, output_count)) return explain_reductions(roots, output_count);
    launch::device& on = launch::current_device();
    flat_terms flat;
    flatten(roots, output_count, flat);
    const int leaf_count = static_cast<int>(flat.leaves.size());
    const std::vector<output> outputs(static_cast<std::size_t>(output_count));
    plan::bindings call(flat.leaves.data(), leaf_count, outputs.data(), output_count);
    bind_call(call, [&] { return flat.described; });
    return explain_recipe(on, flat.described, call);
}

}  // namespace detail
}  // namespace kiln::inline v0_1
