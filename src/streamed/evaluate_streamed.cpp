#include <streamed/evaluate_streamed.hpp>

#include <capture/reduced.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/user_streams.hpp>
#include <evaluate.hpp>
#include <plan/bind.hpp>
#include <record/profile.hpp>
#include <streamed/chunk_sizes.hpp>
#include <streamed/evaluation.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/order.hpp>

#include <kiln/error.hpp>

#include <vector>

namespace kiln::streamed {

using kiln::detail::output;

namespace {

template <class Visit>
void each_host_array(const handle<term>* roots, int root_count, Visit visit) {
    kiln::detail::term_table seen;
    for (int i = 0; i < root_count; ++i)
        kiln::detail::each_term(
            roots[i].get(), seen, [](const term&) { return false; },
            [&](const term& each) {
                if (each.node && host_memory_of(*each.node.get())) visit(*each.node.get());
            });
}

/// The result cannot go straight to where it is wanted: chunks would read what others have written.
bool reads_what_it_writes(const handle<term>& root, const output& to) {
    if (to.where != output::place::through) return false;
    const mapped_file* const written = file_of(*to.target);
    bool found = false;
    kiln::detail::term_table seen;
    kiln::detail::each_term(
        root.get(), seen, [](const term&) { return false; },
        [&](const term& each) {
            if (!each.node || each.node.get()->storage().owned != kiln::detail::ownership::host_user) return;
            const array_node& node = *each.node.get();  // a host array, or what wrap() refers to
            const mapped_file* const read = file_of(node);
            const bool is_elsewhere = read && written && read != written && read->is_same_file(*written);
            found =
                found || is_elsewhere || (plan::overlap(node, *to.target) && !plan::same_elements(node, *to.target));
        });
    return found;
}

bool read_what_others_write(const handle<term>* roots, const output* outputs, int count) {
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            if (reads_what_it_writes(roots[i], outputs[j])) return true;
    return false;
}

/// `each_node`: calls a function with each host array that is read.
template <class EachNode>
bool is_streamed(const handle<term>* roots, int root_count, const output* outputs, EachNode each_node) {
    if (!any_host_arrays() || is_in_a_chunk()) return false;
    bool any = false;
    bool in_a_file = false;
    const auto meet = [&](const array_node& node) {
        any = true;
        in_a_file = in_a_file || file_of(node);
    };
    each_node(meet);
    for (int i = 0; i < root_count; ++i)
        if (outputs[i].where == output::place::through && host_memory_of(*outputs[i].target)) meet(*outputs[i].target);
    if (!any) return false;
    backend::known_device& on = kiln::stage::device_of(roots, root_count, outputs, backend::current_known);
    return in_a_file || !backend::reaches_host(backend::device_at(on));
}

}  // namespace

bool is_streamed(const handle<term>* roots, int root_count, const output* outputs) {
    return is_streamed(roots, root_count, outputs, [&](auto meet) { each_host_array(roots, root_count, meet); });
}

bool is_streamed(const kiln::detail::flat_terms& flat, const handle<term>* roots, int root_count,
                 const output* outputs) {
    return is_streamed(roots, root_count, outputs, [&](auto meet) {
        for (const kiln::detail::leaf& each : flat.leaves) {
            if (each.kind != kiln::detail::leaf_kind::array) continue;
            const auto& node = *static_cast<const array_node*>(each.object);
            if (host_memory_of(node)) meet(node);
        }
    });
}

chunk_explanation explain(const handle<term>& root) {
    const output to;
    backend::known_device& known = kiln::stage::device_of(&root, 1, &to, backend::current_known);
    const backend::scoped_current here(known);
    backend::device& on = backend::device_at(known);
    return chunk_sizes(on).explain(as_reduced(root, backend::reaches_host(on)));
}

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label,
              evaluate_function evaluate_terms) {
    backend::refuse_while_recording("an expression of host arrays");
    backend::known_device& known = kiln::stage::device_of(roots, output_count, outputs, backend::current_known);
    const backend::scoped_current here(known);
    if (backend::user_streams* const all = backend::device_at(known).streams(); all && all->is_captured())
        throw device_error(
            "kiln: an expression of host arrays waits for its copies, and cannot be captured into a graph; evaluate it "
            "before the capture begins");
    const record::observed_pipeline seen;
    if (output_count > 1 && !read_what_others_write(roots, outputs, output_count)) {
        backend::device& on = backend::device_at(known);
        std::vector<handle<term>> reduced;
        for (int i = 0; i < output_count; ++i) reduced.push_back(as_reduced(roots[i], backend::reaches_host(on)));
        evaluation all(on, label, evaluate_terms);
        if (all.run_together(reduced.data(), outputs, output_count)) return all.wait();
    }
    for (int i = 0; i < output_count; ++i) {
        backend::device& on = backend::device_at(known);
        evaluation one(on, label, evaluate_terms);
        const handle<term> root = as_reduced(roots[i], backend::reaches_host(on));
        if (!reads_what_it_writes(root, outputs[i])) {
            one.run(root, outputs[i]);
            one.wait();
            continue;
        }
        const handle<array_node> aside = make_host_array(root.get()->type, outputs[i].target->extents);
        output into{output::place::through, false, aside.get()};
        one.run(root, into);
        one.wait();
        one.run(kiln::detail::make_array_term(aside, root.get()->type), outputs[i]);
        one.wait();
    }
}

}  // namespace kiln::streamed
