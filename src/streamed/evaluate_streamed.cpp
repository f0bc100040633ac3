#include <streamed/evaluate_streamed.hpp>

#include <capture/reduced.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/user_streams.hpp>
#include <evaluate.hpp>
#include <plan/bind.hpp>
#include <plan/ceil_div.hpp>
#include <streamed/budget.hpp>
#include <streamed/carried.hpp>
#include <streamed/chunk_sizes.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/known_copies.hpp>
#include <streamed/order.hpp>
#include <streamed/slices.hpp>
#include <streamed/steady_parts.hpp>
#include <streamed/transfers.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace kiln::streamed {

using kiln::detail::output;
using kiln::detail::purpose;

namespace {

thread_local constinit bool in_a_chunk = false;

class scoped_chunk {
public:
    scoped_chunk() noexcept : before_(std::exchange(in_a_chunk, true)) {}
    scoped_chunk(const scoped_chunk&) = delete;
    scoped_chunk& operator=(const scoped_chunk&) = delete;
    ~scoped_chunk() { in_a_chunk = before_; }

private:
    const bool before_;
};

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

class evaluation {
public:
    evaluation(backend::device& on, const char* label, evaluate_function evaluate_terms)
        : on_(on),
          label_(label),
          evaluate_terms_(evaluate_terms),
          reaches_host_(backend::reaches_host(on)),
          sizes_(on),
          moves_(on) {}

    void run(const handle<term>& root, output& to) {
        const slices parts(root, sizes_.order());
        const shape& extents = parts.of_root();
        if (extents.size() == 0) return finish(root, to);
        if (to.where == output::place::through && !(extents == to.target->extents)) return finish(root, to);
        const cutting how = sizes_.cut(root, parts, to);
        if (how.carries) return run_carried(how, to);
        if (how.scans) return run_scanned(root, how, to);
        if (how.axis >= 0) {
            std::vector<chunked> only;
            only.push_back(begin(parts, to));
            if (only.front().leaves && is_there(root)) only.front().there = root.get()->node;
            return run_chunks(only, how.axis, how.count);
        }
        run_whole(root, parts, to, how);
    }

    /// Several of one shape in one pass over what they read. False, and nothing is done: they cannot be cut together.
    bool run_together(const handle<term>* roots, output* outputs, int count) {
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

    void wait() { moves_.wait(); }

private:
    // --- evaluating what is on the device

    void evaluate_here(const handle<term>* roots, output* outputs, int count) {
        const scoped_chunk here;
        moves_.before_kernels();
        evaluate_terms_(roots, outputs, count, label_, purpose::launch);
    }
    void evaluate_here(const handle<term>& root, output& to) { evaluate_here(&root, &to, 1); }

    [[nodiscard]] bool is_there(const handle<term>& root) const {
        return root.get()->what == term::kind::array && root.get()->node.get()->device == on_.known();
    }

    handle<array_node> fresh(const handle<term>& root) {
        moves_.before_kernels();  // of who reads it without evaluating it, too
        if (is_there(root)) return root.get()->node;
        output to;
        evaluate_here(root, to);
        return handle<array_node>(to.written);
    }

    /// The elements of `made` as they leave: it may be seen through strides, or be a sum that is partial.
    handle<array_node> whole(handle<array_node> made) {
        if (made.get()->contiguous) return made;
        output out;
        evaluate_here(kiln::detail::make_array_term(made, made.get()->type), out);
        return handle<array_node>(out.written);
    }

    void put(const handle<array_node>& made, array_node& place) {
        output into{output::place::through, false, &place};
        evaluate_here(kiln::detail::make_array_term(made, made.get()->type), into);
    }

    /// Row-major, where the device reads it.
    handle<array_node> elements(const handle<term>& root) {
        const bool is_there = root.get()->what == term::kind::array && reaches_host_ &&
                              is_on_host(*root.get()->node.get()) && !root.get()->node.get()->map;
        handle<array_node> made = is_there ? root.get()->node : fresh(root);
        return whole(std::move(made));
    }

    /// `made`, all of it in the device's memory or where the host has it, to where it is wanted.
    void finish(const handle<term>& made, output& to) {
        if (to.where != output::place::through || !writes_host(to) || reaches_host_) {
            evaluate_here(made, to);
            return;
        }
        moves_.begin_chunk();
        moves_.copy_out(whole(fresh(made)), kiln::detail::share(*to.target));
        moves_.end_chunk();
        to.written = to.target;
    }

    // --- operands

    /// Of all chunks.
    [[nodiscard]] handle<term> whole_operand(const handle<array_node>& node) {
        check_file(*node.get());
        if (reaches_host_) return kiln::detail::make_array_term(node, node.get()->type);
        if (node.get()->map) return kiln::detail::make_array_term(moves_.copy_storage(*node.get()), node.get()->type);
        return once_.of(node, [this](const array_node& of) { return moves_.copy_for_all(of); });
    }

    static void check_file(const array_node& node) {
        if (const mapped_file* const file = file_of(node)) file->check();
    }

    operand_places operands() {
        return {[this](const handle<array_node>& node) {
                    check_file(*node.get());
                    if (reaches_host_) {
                        read_.push_back(node);
                        return kiln::detail::make_array_term(node, node.get()->type);
                    }
                    return chunk_.of(node, [this](const array_node& of) { return moves_.copy_in(of); });
                },
                [this](const handle<array_node>& node) { return whole_operand(node); },
                [this](const handle<term>& made) { return evaluated(made); },
                [this](const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes) {
                    return reduced_in_order(reduction, part, whole, axes, on_, label_,
                                            [this](const handle<term>& of) { return elements(of); });
                }};
    }

    /// A reduction that all chunks read: evaluated by itself, once.
    handle<term> evaluated(const handle<term>& made) {
        for (const auto& [of, term_of] : evaluated_)
            if (of.get() == made.get()) return term_of;
        output to;
        evaluation alone(on_, label_, evaluate_terms_);
        alone.run(made, to);
        handle<term> out = kiln::detail::make_array_term(handle<array_node>(to.written), made.get()->type);
        evaluated_.emplace_back(made, out);
        return out;
    }

    // --- running them

    /// One expression's, while it is made.
    struct chunked {
        const slices* parts;
        output* to;
        handle<array_node> made;  // of the device's, where it stays there
        handle<array_node> target;
        bool leaves;
        handle<array_node> there;  // of the device's: nothing is computed, its elements leave as they are
    };

    [[nodiscard]] chunked begin(const slices& parts, output& to) {
        chunked out{&parts, &to, {}, {}, writes_host(to) && !reaches_host_, {}};
        if (to.where != output::place::through)
            out.made = backend::make_owner(on_, parts.type(), parts.of_root(), on_.current_stream());
        out.target = out.made ? out.made : kiln::detail::share(*to.target);
        return out;
    }

    /// Of one shape, cut along one axis: what several read comes in once.
    void run_chunks(std::vector<chunked>& results, int axis, std::int64_t count) {
        const shape& extents = results.front().parts->of_root();
        moves_.expect(plan::ceil_div(extents[axis], count));
        const bool is_in_place = results.size() == 1 && !results.front().leaves;
        std::vector<const slices*> parts;
        for (const chunked& each : results) parts.push_back(each.parts);
        std::optional<steady_parts> steady;
        if (!reaches_host_ && extents[axis] / count > transfers::most_under_way)
            steady = steady_parts::of(parts, axis, count);
        std::vector<handle<term>> terms_of_slot[transfers::most_under_way];
        std::vector<handle<array_node>> places(results.size());  // of the chunk's
        std::vector<handle<array_node>> made(results.size());
        std::vector<output> outputs(results.size());
        for (std::int64_t begin = 0; begin < extents[axis]; begin += count) {
            const std::int64_t now = std::min(count, extents[axis] - begin);
            moves_.begin_chunk();
            std::vector<handle<term>>& terms = terms_of_slot[moves_.slot()];
            if (steady && now == count && !terms.empty()) {
                for (const handle<array_node>& each : steady->operands(begin)) {
                    check_file(*each.get());
                    moves_.copy_in(*each.get());
                }
            } else {
                terms.clear();
                for (const slices* const each : parts) {
                    if (reaches_host_)
                        expect_next(*each, axis, begin + now, std::min(count, extents[axis] - begin - now));
                    terms.push_back(each->part(axis, begin, now, operands()));
                }
            }
            for (std::size_t i = 0; i < results.size(); ++i) {
                check_file(*results[i].target.get());
                places[i] = kiln::detail::viewed(results[i].target, slice_of(extents, axis, begin, now));
                // In place, if it is alone: plans of several write to memory of their own, and plans for memory that is given are fewer.
                outputs[i] = is_in_place ? output{output::place::through, false, places[i].get()} : output{};
            }
            if (const handle<array_node>& all = results.front().there) {
                made.front() = kiln::detail::viewed(all, slice_of(extents, axis, begin, now));
            } else {
                evaluate_here(terms.data(), outputs.data(), static_cast<int>(results.size()));
                for (std::size_t i = 0; !is_in_place && i < results.size(); ++i)
                    made[i] = handle<array_node>(outputs[i].written);
            }
            chunk_.clear();
            for (std::size_t i = 0; i < results.size(); ++i) {
                if (results[i].leaves) {
                    moves_.copy_out(whole(std::move(made[i])), std::move(places[i]));
                    continue;
                }
                if (!is_in_place) put(std::move(made[i]), *places[i].get());
                release(*places[i].get());
            }
            if (!steady || begin + 2 * count > extents[axis]) {
                moves_.end_chunk();
                continue;
            }
            const std::vector<handle<array_node>>& next = steady->operands(begin + count);
            for (const handle<array_node>& each : next) check_file(*each.get());
            moves_.end_chunk(next);
        }
        for (chunked& each : results) each.to->written = each.made ? each.made.release() : each.to->target;
    }

    /// Of files that a CPU reads where they are.
    void expect_next(const slices& parts, int axis, std::int64_t begin, std::int64_t count) {
        if (count <= 0) return;
        const auto expect = [](const handle<array_node>& node) {
            if (const mapped_file* const file = file_of(*node.get()); file && node.get()->extents.size() > 0) {
                const kiln::detail::byte_range range = kiln::detail::bytes_between(*node.get());
                if (node.get()->contiguous) file->expect(range.begin, range.end);
            }
            return kiln::detail::make_array_term(node, node.get()->type);
        };
        const auto as_it_is = [](const handle<array_node>& node) {
            return kiln::detail::make_array_term(node, node.get()->type);
        };
        (void)parts.part(axis, begin, count,
                         {expect, as_it_is, [this](const handle<term>& of) { return evaluated(of); },
                          [](const term& reduction, const handle<term>& part, const shape&, std::uint8_t axes) {
                              return stand_in(reduction, kiln::detail::broadcast_leaves(part), axes);
                          }});
    }

    /// Pages of files that this chunk read and wrote.
    void release(const array_node& written) {
        release_read();
        drop(written);
    }
    void release_read() {
        for (const handle<array_node>& each : read_) drop(*each.get());
        read_.clear();
    }
    static void drop(const array_node& node) {
        const mapped_file* const file = file_of(node);
        if (!file || node.map || node.extents.size() == 0) return;
        const kiln::detail::byte_range range = kiln::detail::bytes_between(node);
        file->release(range.begin, range.end);
    }

    /// A reduction over the axis that is cut: of results of chunks.
    void run_carried(const cutting& cut, output& to) {
        const carried& how = *cut.carries;
        const slices parts(how.operand(), sizes_.order());
        const std::int64_t extent = parts.of_root()[cut.axis];
        moves_.expect(plan::ceil_div(extent, cut.count));
        carried_results results(how, on_, cut.count, label_, [this](const handle<term>& of) { return elements(of); });
        for (std::int64_t begin = 0; begin < extent; begin += cut.count) {
            const std::int64_t now = std::min(cut.count, extent - begin);
            if (reaches_host_) expect_next(parts, cut.axis, begin + now, std::min(cut.count, extent - begin - now));
            moves_.begin_chunk();
            results.add(parts.part(cut.axis, begin, now, operands()), begin, now);
            chunk_.clear();
            release_read();
            moves_.end_chunk();
        }
        finish(results.finished(), to);
    }

    /// A scan along the axis that is cut: once through all chunks for what parts come to, once more for the results.
    void run_scanned(const handle<term>& root, const cutting& cut, output& to) {
        const carried_scan& how = *cut.scans;
        const slices parts(root.get()->args[0], sizes_.order());
        const shape& extents = parts.of_root();
        const std::int64_t extent = extents[cut.axis];
        scanned_chunks results(
            how, on_, label_, [this](const handle<term>& of) { return elements(of); },
            [this](const handle<term>& of, const array_node& place) {
                output into{output::place::through, false, const_cast<array_node*>(&place)};
                evaluate_here(of, into);
            });
        const auto each_chunk = [&](auto take) {
            moves_.expect(plan::ceil_div(extent, cut.count));
            for (std::int64_t begin = 0; begin < extent; begin += cut.count) {
                const std::int64_t now = std::min(cut.count, extent - begin);
                moves_.begin_chunk();
                take(parts.part(cut.axis, begin, now, operands()), begin, now);
                chunk_.clear();
                release_read();
                moves_.end_chunk();
            }
        };
        if (how.parts() > 1)
            each_chunk(
                [&](const handle<term>& part, std::int64_t begin, std::int64_t now) { results.add(part, begin, now); });
        handle<array_node> made;
        if (to.where != output::place::through)
            made = backend::make_owner(on_, root.get()->type, extents, on_.current_stream());
        const handle<array_node> target = made ? made : kiln::detail::share(*to.target);
        const bool leaves = writes_host(to) && !reaches_host_;
        each_chunk([&](const handle<term>& part, std::int64_t begin, std::int64_t now) {
            handle<array_node> result = results.scanned(part, begin, now);
            const handle<array_node> place = kiln::detail::viewed(target, slice_of(extents, cut.axis, begin, now));
            if (leaves) return moves_.copy_out(whole(std::move(result)), place);
            output into{output::place::through, false, place.get()};
            evaluate_here(kiln::detail::make_array_term(result, how.type()), into);
            drop(*place.get());
        });
        to.written = made ? made.release() : to.target;
    }

    /// What cannot be cut, if it has room.
    void run_whole(const handle<term>& root, const slices& parts, output& to, const cutting& how) {
        const std::vector<std::string>& reasons = how.reasons;
        const std::int64_t needed = sizes_.bytes_in_one_piece(root, to);
        const std::int64_t there = free_budget(on_);
        if (needed > there && !reaches_host_)
            throw error(text::format(
                "kiln: an expression of host arrays of shape {} on {} cannot be cut into chunks that fit, and "
                "takes {} bytes in one piece where {} may be taken ({}){}{}",
                to_string(parts.of_root()), name_of(*on_.known()), needed, there, budget_text(on_),
                reasons.empty() ? "" : ": ", text::format("{}", fmt::join(reasons, "; "))));
        // In one piece all of a file would be in memory, in place of a chunk that is asked for.
        if (how.least > there && reaches_host_)
            throw error(text::format(
                "kiln: the smallest chunk of an expression of files of shape {} takes {} bytes, where {} may be "
                "taken ({}){}{}",
                to_string(parts.of_root()), how.least, there, budget_text(on_), reasons.empty() ? "" : ": ",
                text::format("{}", fmt::join(reasons, "; "))));
        finish(chunk_sizes::goes_by_operands(root) ? parts.whole(operands()) : parts.in_one_piece(operands()), to);
        once_.clear();
    }

    backend::device& on_;
    const char* const label_;
    const evaluate_function evaluate_terms_;
    const bool reaches_host_;
    const chunk_sizes sizes_;
    known_copies chunk_;
    known_copies once_;
    std::vector<std::pair<handle<term>, handle<term>>> evaluated_;
    std::vector<handle<array_node>> read_;  // by this chunk, where it is
    transfers moves_;  // the last: while something is under way its memory, which the others hold, is there
};

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
    if (!any_host_arrays() || in_a_chunk) return false;
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
