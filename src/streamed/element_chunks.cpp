// Results that are made element by element: what is made of a part of the operands is a part of the result.
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <streamed/evaluation.hpp>
#include <streamed/host_memory.hpp>

#include <algorithm>
#include <utility>

namespace kiln::streamed {

using kiln::detail::output;
using kiln::detail::view_spec;

bool evaluation::run_together(const handle<term>* roots, output* outputs, int count) {
    std::vector<slices> parts;
    parts.reserve(static_cast<std::size_t>(count));
    int axis = -1;
    std::int64_t positions = 0;
    for (int i = 0; i < count; ++i) {
        const slices& of = parts.emplace_back(roots[i], sizes_.order());
        const shape& extents = of.of_root();
        if (extents.size() == 0 || !(extents == parts.front().of_root())) return false;
        if (outputs[i].where == output::place::through && !(extents == outputs[i].target->extents)) return false;
        const cutting how = sizes_.cut(roots[i], of, outputs[i]);
        if (how.carries || how.scans || how.axis < 0 || (i > 0 && how.axis != axis)) return false;
        axis = how.axis;
        positions = i == 0 ? how.count : std::min(positions, how.count);
    }
    positions = sizes_.count_together(roots, outputs, count, axis, parts.front().of_root()[axis], positions);
    if (positions == 0) return false;
    std::vector<chunked> results;
    for (int i = 0; i < count; ++i) results.push_back(begin(parts[static_cast<std::size_t>(i)], outputs[i]));
    run_chunks(results, axis, positions);
    return true;
}

evaluation::chunked evaluation::begin(const slices& parts, output& to) {
    chunked out{&parts, &to, {}, {}, writes_host(to) && !reaches_host_, {}};
    if (to.where != output::place::through)
        out.made = backend::make_owner(on_, parts.type(), parts.of_root(), on_.current_stream());
    out.target = out.made ? out.made : kiln::detail::share(*to.target);
    return out;
}

void evaluation::run_chunks(std::vector<chunked>& results, int axis, std::int64_t count) {
    const shape& extents = results.front().parts->of_root();
    const bool is_in_place = results.size() == 1 && !results.front().leaves;
    chunk_walk walk{.axis = axis, .extent = extents[axis], .count = count};
    for (const chunked& each : results) {
        walk.parts.push_back(each.parts);
        if (each.leaves) walk.targets.push_back(each.target);
    }
    begin_walk(walk);
    std::vector<handle<array_node>> places(results.size());  // of the chunk's
    std::vector<handle<array_node>> made(results.size());
    std::vector<output> outputs(results.size());
    for (std::int64_t begin = 0; begin < extents[axis]; begin += count) {
        const std::vector<handle<term>>& terms = begin_chunk(walk, begin);
        const view_spec part = slice_of(extents, axis, begin, walk.length(begin));
        for (std::size_t i = 0; i < results.size(); ++i) {
            check_file(*results[i].target.get());
            places[i] = kiln::detail::viewed(results[i].target, part);
            // In place, if it is alone: plans of several write to memory of their own, and plans for memory that is given are fewer.
            outputs[i] = is_in_place ? output{output::place::through, false, places[i].get()} : output{};
        }
        if (const handle<array_node>& all = results.front().there) {
            made.front() = kiln::detail::viewed(all, part);
        } else {
            evaluate_here(terms.data(), outputs.data(), static_cast<int>(results.size()));
            for (std::size_t i = 0; !is_in_place && i < results.size(); ++i)
                made[i] = handle<array_node>(outputs[i].written);
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].leaves) {
                moves_.copy_out(whole(std::move(made[i])), std::move(places[i]));
                continue;
            }
            if (!is_in_place)
                evaluate_into(kiln::detail::make_array_term(made[i], made[i].get()->type), *places[i].get());
            release(*places[i].get());
        }
        end_chunk(walk, begin);
    }
    moves_.end_walk();
    for (chunked& each : results) each.to->written = each.made ? each.made.release() : each.to->target;
}

}  // namespace kiln::streamed
