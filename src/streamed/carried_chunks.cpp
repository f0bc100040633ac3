// Reductions over the axis that is cut, and scans along it: what chunks come to is carried from one to the next.
#include <capture/other_reductions.hpp>
#include <capture/reduced.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <streamed/carried.hpp>
#include <streamed/carried_scan.hpp>
#include <streamed/evaluation.hpp>
#include <streamed/host_memory.hpp>

#include <utility>

namespace kiln::streamed {

using kiln::detail::output;

void evaluation::run_carried(const cutting& cut, output& to) {
    const carried& how = *cut.carries;
    const slices parts(how.operand(), sizes_.order());
    carried_results results(how, on_, cut.count, label_, [this](const handle<term>& of) { return elements(of); });
    each_chunk(parts, cut, {}, [&](const handle<term>& part, std::int64_t begin, std::int64_t count) {
        results.add(part, begin, count);
    });
    finish(results.finished(), to);
}

void evaluation::run_scanned(const handle<term>& root, const cutting& cut, output& to) {
    const carried_scan& how = *cut.scans;
    const slices parts(root.get()->args[0], sizes_.order());
    const shape& extents = parts.of_root();
    scanned_chunks results(
        how, on_, label_, [this](const handle<term>& of) { return elements(of); },
        [this](const handle<term>& of, const array_node& place) { evaluate_into(of, const_cast<array_node&>(place)); });
    if (how.parts() > 1)
        each_chunk(parts, cut, {}, [&](const handle<term>& part, std::int64_t begin, std::int64_t count) {
            results.add(part, begin, count);
        });
    handle<array_node> made;
    if (to.where != output::place::through)
        made = backend::make_owner(on_, root.get()->type, extents, on_.current_stream());
    const handle<array_node> target = made ? made : kiln::detail::share(*to.target);
    const bool leaves = writes_host(to) && !reaches_host_;
    each_chunk(parts, cut, leaves ? std::vector{target} : std::vector<handle<array_node>>{},
               [&](const handle<term>& part, std::int64_t begin, std::int64_t count) {
                   moves_.before_kernels();  // what has left is given back before memory for what is made is asked for
                   handle<array_node> result = results.scanned(part, begin, count);
                   check_file(*target.get());
                   const handle<array_node> place =
                       kiln::detail::viewed(target, slice_of(extents, cut.axis, begin, count));
                   if (leaves) return moves_.copy_out(whole(std::move(result)), place);
                   evaluate_into(kiln::detail::make_array_term(result, how.type()), *place.get());
                   release(*place.get());
               });
    to.written = made ? made.release() : to.target;
}

handle<term> evaluation::with_scans_aside(const handle<term>& root, const slices& parts) {
    const std::size_t before = aside_.size();
    const auto aside = [&](const term& of, const shape& extents, std::uint8_t axes, const handle<term>& operand) {
        if (!of.scans || &of == root.get() || !parts.reads_host_arrays(of)) return handle<term>();
        const handle<array_node> made = make_host_array(of.type, kiln::detail::result_shape(of, extents, axes));
        output to{output::place::through, false, made.get()};
        evaluation alone(on_, label_, evaluate_terms_);
        alone.run(kiln::detail::copy_with_operands(of, [&](const handle<term>&) { return operand; }), to);
        alone.wait();
        aside_.push_back(made);
        return kiln::detail::make_array_term(made, of.type);
    };
    const handle<term> rest = kiln::detail::with_other_reductions({root}, aside).front();
    return aside_.size() > before ? rest : handle<term>();
}

}  // namespace kiln::streamed
