#include <streamed/evaluate_streamed.hpp>

#include <capture/reduced.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <evaluate.hpp>
#include <plan/bind.hpp>
#include <plan/ceil_div.hpp>
#include <streamed/budget.hpp>
#include <streamed/carried.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/order.hpp>
#include <streamed/slices.hpp>
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

bool writes_host(const output& to) noexcept {
    return to.where == output::place::through && to.target->owned == kiln::detail::ownership::host_user;
}

/// Which array terms of one expression read what: each part is copied once, however often it stands there.
class known_copies {
public:
    template <class Copy>
    handle<term> of(const handle<array_node>& node, Copy copy) {
        const array_node& wanted = *node.get();
        for (const known& each : known_)
            if (same(*each.of.get(), wanted)) return each.made;
        return known_.emplace_back(known{node, kiln::detail::make_array_term(copy(wanted), wanted.type)}).made;
    }
    void clear() { known_.clear(); }

private:
    static bool same(const array_node& one, const array_node& other) {
        return one.data == other.data && one.type == other.type && one.extents == other.extents &&
               std::equal(one.strides, one.strides + one.extents.rank(), other.strides) &&
               (one.map && other.map ? *one.map == *other.map : one.map == other.map);
    }
    struct known {
        handle<array_node> of;
        handle<term> made;
    };
    std::vector<known> known_;
};

/// What chunks of so many positions take.
struct chunk_bytes {
    std::int64_t once = 0;  // of operands that all chunks read
    std::int64_t in = 0;    // of operands, one chunk
    std::int64_t made = 0;  // of what is made of them on the way
    std::int64_t out = 0;   // of results that leave the device again

    /// While one chunk is computed the next comes in, and the one before goes out. Devices round up, by an eighth at most.
    [[nodiscard]] std::int64_t all() const noexcept {
        const std::int64_t asked = once + 2 * in + made + 2 * out;
        return asked + asked / 8 + 4096;
    }
};

class evaluation {
public:
    evaluation(backend::device& on, const char* label, evaluate_function evaluate_terms)
        : on_(on),
          label_(label),
          evaluate_terms_(evaluate_terms),
          reaches_host_(backend::reaches_host(on)),
          in_(on),
          out_(on) {}

    void run(const handle<term>& root, output& to) {
        const slices parts(root, order());
        const shape& extents = parts.of_root();
        if (extents.size() == 0) return finish(root, to);
        if (to.where == output::place::through && !(extents == to.target->extents)) return finish(root, to);
        const cutting how = cut(root, parts, to);
        if (how.carries) return run_carried(how, to);
        if (how.axis >= 0) return run_chunks(parts, how.axis, how.count, to);
        run_whole(root, parts, to, how.reasons);
    }

    [[nodiscard]] chunk_explanation explain(const handle<term>& root) {
        const slices parts(root, order());
        chunk_explanation out;
        if (parts.of_root().size() == 0) return out;
        const output to;
        const cutting how = cut(root, parts, to);
        out.axis = how.axis;
        out.positions = how.count;
        out.bytes_out = parts.of_root().size() * bytes_of(root.get()->type);
        if (how.axis < 0) {
            const chunk_bytes all = bytes_of_chunk(root, what_is_whole(root), 0, to);
            out.count = 1;
            out.bytes_in = reaches_host_ ? 0 : all.once + all.in - out.bytes_out;  // where they are read
            out.device_bytes = reaches_host_ ? 0 : all.all();
            out.why_whole = text::format("{}", fmt::join(how.reasons, "; "));
            return out;
        }
        const handle<term>& operand = how.carries ? how.carries->operand() : root;
        const slices cut_parts(operand, order());
        const std::int64_t extent = cut_parts.of_root()[how.axis];
        const chunk_bytes all = bytes_of_chunk(operand, how.axis, extent, to);
        out.count = plan::ceil_div(extent, how.count);
        out.bytes_in =
            all.in + (reaches_host_ ? 0 : all.once - cut_parts.of_root().size() * bytes_of(operand.get()->type));
        if (!reaches_host_)
            out.device_bytes = how.carries ? bytes_of_carried(*how.carries, how.count)
                                           : bytes_of_chunk(root, how.axis, how.count, to).all();
        return out;
    }

    void wait() { out_.wait(); }

private:
    [[nodiscard]] order_is_kept order() const {
        return [this](const term& reduction, const shape& whole, const shape& part, std::uint8_t axes) {
            const element_type accumulated =
                kiln::detail::accumulated_type(reduction.reduces, reduction.args[0].get()->type);
            if (is_any_order(reduction.reduces, accumulated)) return true;
            if (!reduction.scans) return same_order(whole, part, axes, on_.target().reduces);
            return same_scan_order(whole, part, std::countr_zero(axes), reduction.reduces, accumulated, on_.target());
        };
    }

    // --- evaluating what is on the device

    void evaluate_here(const handle<term>& root, output& to) {
        const scoped_chunk here;
        evaluate_terms_(&root, &to, 1, label_, purpose::launch);
    }

    handle<array_node> fresh(const handle<term>& root) {
        if (root.get()->what == term::kind::array && root.get()->node.get()->device == on_.known())
            return root.get()->node;
        output to;
        evaluate_here(root, to);
        return handle<array_node>(to.written);
    }

    /// `made`, all of it in the device's memory or where the host has it, to where it is wanted.
    void finish(const handle<term>& made, output& to) {
        if (to.where != output::place::through || !writes_host(to) || reaches_host_) {
            evaluate_here(made, to);
            return;
        }
        copy_out(fresh(made), kiln::detail::share(*to.target));
        to.written = to.target;
    }

    void copy_out(handle<array_node> from, handle<array_node> to) {
        if (!from.get()->contiguous) {  // or a sum that is partial
            output whole;
            evaluate_here(kiln::detail::make_array_term(from, from.get()->type), whole);
            from = handle<array_node>(whole.written);
        }
        out_.copy(std::move(from), std::move(to));
    }

    // --- operands

    /// Of all chunks.
    [[nodiscard]] handle<term> whole_operand(const handle<array_node>& node) {
        check_file(*node.get());
        if (reaches_host_) return kiln::detail::make_array_term(node, node.get()->type);
        if (node.get()->map) return kiln::detail::make_array_term(in_.copy_storage(*node.get()), node.get()->type);
        return once_.of(node, [this](const array_node& of) { return in_.copy(of); });
    }

    static void check_file(const array_node& node) {
        if (const mapped_file* const file = file_of(node)) file->check();
    }

    operand_places places() {
        return {[this](const handle<array_node>& node) {
                    check_file(*node.get());
                    if (reaches_host_) {
                        read_.push_back(node);
                        return kiln::detail::make_array_term(node, node.get()->type);
                    }
                    return chunk_.of(node, [this](const array_node& of) { return in_.copy(of); });
                },
                [this](const handle<array_node>& node) { return whole_operand(node); },
                [this](const handle<term>& made) { return evaluated(made); }};
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

    // --- how large chunks are

    // In place of an axis: nothing is cut.
    static constexpr int in_one_piece = -1;
    static constexpr int by_operands = -2;  // reductions of host arrays before, by themselves
    static int what_is_whole(const handle<term>& root) {
        return kiln::detail::stops_views(*root.get()) ? in_one_piece : by_operands;
    }

    /// Counts what chunks would take, and copies nothing. `check`: throws not_cuttable for orders of additions, too.
    chunk_bytes bytes_of_chunk(const handle<term>& root, int axis, std::int64_t count, const output& to,
                               bool check = false) {
        const slices parts(
            root, check ? order() : [](const term&, const shape&, const shape&, std::uint8_t) { return true; });
        chunk_bytes out;
        known_copies chunk;
        known_copies once;
        const auto counted = [](std::int64_t& into) {
            return [&into](const array_node& of) {
                into += bytes_of_copy(of);
                return kiln::detail::share(of);
            };
        };
        const operand_places counting{[&](const handle<array_node>& node) { return chunk.of(node, counted(out.in)); },
                                      [&](const handle<array_node>& node) {
                                          if (!node.get()->map) return once.of(node, counted(out.once));
                                          (void)once.of(kiln::detail::share(node.get()->storage()), counted(out.once));
                                          return kiln::detail::make_array_term(node, node.get()->type);
                                      },
                                      [&](const handle<term>& made) {
                                          const shape& extents = parts.of(*made.get());
                                          out.once += extents.size() * bytes_of(made.get()->type);
                                          return kiln::detail::make_full_term(extents, zero_of(made.get()->type));
                                      }};
        const handle<term> part = axis == in_one_piece  ? parts.in_one_piece(counting)
                                  : axis == by_operands ? parts.whole(counting)
                                                        : parts.part(axis, 0, count, counting);
        const shape extents = kiln::detail::broadcast_leaves(part);
        const std::int64_t bytes = extents.size() * bytes_of(root.get()->type);
        if (writes_host(to)) out.out = bytes;
        if (to.where != output::place::through) out.once += parts.of_root().size() * bytes_of(root.get()->type);
        out.made = bytes_between_kernels(part) - (part.get()->has_stages ? bytes : 0);
        if (reaches_host_) {
            // Where they are read and written: pages of files.
            out.once = 0;
            out.made = 0;
        }
        return out;
    }

    static handle<term> zero_of(element_type type) {
        const std::uint64_t zero[2] = {};
        return kiln::detail::make_scalar_term(type, zero, 0);
    }

    /// What stages leave for others, and, not fused, operations.
    std::int64_t bytes_between_kernels(const handle<term>& part) {
        std::int64_t bytes = 0;
        if (part.get()->has_stages) {
            const output wanted;
            const kiln::detail::stage_sequence stages = kiln::detail::stages_of(&part, 1, &wanted);
            for (const kiln::stage::stage& each : stages.plan.list)
                for (const kiln::stage::result& made : each.results) bytes += made.extents.size() * bytes_of(made.type);
        }
        if (kiln::detail::thread_options.fuse) return bytes;
        const slices shapes(part, {});
        kiln::detail::term_table seen;
        kiln::detail::each_term(
            part.get(), seen, [](const term&) { return false; },
            [&](const term& each) {
                if (each.what == term::kind::operation) bytes += shapes.of(each).size() * bytes_of(each.type);
            });
        return bytes;
    }

    struct cutting {
        int axis = -1;  // -1: it is not cut
        std::int64_t count = 0;
        std::optional<carried> carries;    // it is a reduction over that axis of its operand
        std::vector<std::string> reasons;  // why not along which axis
    };

    /// The first axis along which chunks are found that have room.
    cutting cut(const handle<term>& root, const slices& parts, const output& to) {
        cutting out;
        const shape& extents = parts.of_root();
        for (int axis = 0; axis < extents.rank(); ++axis) {
            if (extents[axis] == 1) continue;
            try {
                out.count = chunk_of(root, parts, axis, to);
                out.axis = axis;
                if (out.count > 0) return out;
                out.reasons.push_back(text::format("one position of axis {} takes {} bytes", axis,
                                                   bytes_of_chunk(root, axis, 1, to).all()));
            } catch (const not_cuttable& why) {
                out.reasons.push_back(text::format("along axis {}: {}", axis, why.what()));
            }
        }
        out.axis = -1;
        if (root.get()->what != term::kind::reduced) return out;
        std::optional<carried> how = carried::of(root, on_.target().reduces, out.reasons);
        if (!how) return out;
        out.count = carried_count(*how, out.reasons);
        if (out.count == 0) return out;
        out.axis = how->axis();
        out.carries = std::move(how);
        return out;
    }

    /// Positions of a chunk; 0: as many as keep the order of additions have no room.
    std::int64_t carried_count(const carried& how, std::vector<std::string>& reasons) {
        const std::int64_t extent = slices(how.operand(), order()).of_root()[how.axis()];
        const std::int64_t one = bytes_of_carried(how, 1);
        const std::int64_t of_position = bytes_of_carried(how, 2) - one;
        const std::int64_t rest = free_budget(on_) - (one - of_position);
        const std::int64_t most = largest_count(extent, of_position, rest);
        std::int64_t count = most;
        if (most < extent && how.least() > 1)  // else there is one chunk, or chunks of any size
            for (count = how.least(); count <= most / 2;) count *= 2;
        count = std::min(std::max<std::int64_t>(count, 1), extent);
        if (count * of_position <= rest) return count;
        reasons.push_back(
            text::format("along axis {}: chunks of {} positions, which keep the order of additions, take {} bytes",
                         how.axis(), count, bytes_of_carried(how, count)));
        return 0;
    }

    /// Positions of a chunk; 0: not one has room. Throws not_cuttable.
    std::int64_t chunk_of(const handle<term>& root, const slices& parts, int axis, const output& to) {
        const std::int64_t extent = parts.of_root()[axis];
        const chunk_bytes one = bytes_of_chunk(root, axis, 1, to);
        const chunk_bytes two = bytes_of_chunk(root, axis, 2, to);
        const std::int64_t of_position = two.all() - one.all();
        const std::int64_t rest = free_budget(on_) - (one.all() - of_position);
        std::int64_t count = largest_count(extent, of_position, rest);
        while (count > 0) {
            if (fits_in_order(root, axis, count, extent, to)) return count;
            if (count == 1) throw_order(root, axis, count, to);
            count = count == extent ? largest_count(extent - 1, of_position, rest) : count / 2;
        }
        return 0;
    }

    /// Of chunks that take long enough for what a chunk costs beside its copies, and short enough that the first and the last, beside which
    /// nothing else is done, matter little.
    static std::int64_t largest_count(std::int64_t extent, std::int64_t of_position, std::int64_t room) {
        constexpr std::int64_t usual_bytes = std::int64_t{64} << 20;  // on the device, of all of a chunk's
        constexpr std::int64_t positions_together = 256;              // so that all begin where vectors do
        const std::int64_t bytes = std::min(room, usual_bytes);
        if (room < of_position) return 0;
        std::int64_t count = of_position > 0 ? std::max<std::int64_t>(1, bytes / of_position) : extent;
        if (count >= extent) return extent;
        if (count > positions_together) count -= count % positions_together;
        return count;
    }

    /// Whether orders of additions are those of the whole, in each chunk and in the last one.
    bool fits_in_order(const handle<term>& root, int axis, std::int64_t count, std::int64_t extent, const output& to) {
        try {
            (void)bytes_of_chunk(root, axis, count, to, /*check=*/true);
            if (const std::int64_t last = extent % count) (void)bytes_of_chunk(root, axis, last, to, /*check=*/true);
            return true;
        } catch (const not_cuttable&) {
            return false;
        }
    }
    void throw_order(const handle<term>& root, int axis, std::int64_t count, const output& to) {
        (void)bytes_of_chunk(root, axis, count, to, /*check=*/true);
        throw not_cuttable("its last part would be added up in another order");
    }

    // --- running them

    void run_chunks(const slices& parts, int axis, std::int64_t count, output& to) {
        const shape& extents = parts.of_root();
        handle<array_node> made;
        const bool leaves = writes_host(to) && !reaches_host_;
        if (to.where != output::place::through)
            made = backend::make_owner(on_, parts.type(), extents, on_.current_stream());
        const handle<array_node> target = made ? made : kiln::detail::share(*to.target);
        for (std::int64_t begin = 0; begin < extents[axis]; begin += count) {
            const std::int64_t now = std::min(count, extents[axis] - begin);
            if (reaches_host_) expect_next(parts, axis, begin + now, std::min(count, extents[axis] - begin - now));
            const handle<term> part = parts.part(axis, begin, now, places());
            const handle<array_node> place = kiln::detail::viewed(target, slice_of(extents, axis, begin, now));
            check_file(*target.get());
            if (leaves) {
                // What the chunk before made leaves while this one is computed, and is gone before there is a third.
                handle<array_node> result = fresh(part);
                chunk_.clear();
                copy_out(std::move(result), place);
            } else {
                output into{output::place::through, false, place.get()};
                evaluate_here(part, into);
                chunk_.clear();
                release(*place.get());
            }
        }
        to.written = made ? made.release() : to.target;
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
                         {expect, as_it_is, [this](const handle<term>& of) { return evaluated(of); }});
    }

    /// Pages of files that this chunk read and wrote.
    void release(const array_node& written) {
        const auto drop = [](const array_node& node) {
            const mapped_file* const file = file_of(node);
            if (!file || node.map || node.extents.size() == 0) return;
            const kiln::detail::byte_range range = kiln::detail::bytes_between(node);
            file->release(range.begin, range.end);
        };
        for (const handle<array_node>& each : read_) drop(*each.get());
        read_.clear();
        drop(written);
    }

    /// A reduction over the axis that is cut: of results of chunks.
    void run_carried(const cutting& cut, output& to) {
        const carried& how = *cut.carries;
        const slices parts(how.operand(), order());
        const std::int64_t extent = parts.of_root()[cut.axis];
        partial_results results(how, [this](const handle<term>& of) { return fresh(of); });
        for (std::int64_t begin = 0; begin < extent; begin += cut.count) {
            const std::int64_t now = std::min(cut.count, extent - begin);
            if (reaches_host_) expect_next(parts, cut.axis, begin + now, std::min(cut.count, extent - begin - now));
            results.add(fresh(how.reduction_of(parts.part(cut.axis, begin, now, places()))));
            chunk_.clear();
            release(*results.last().get());
        }
        finish(results.finished(), to);
    }

    std::int64_t bytes_of_carried(const carried& how, std::int64_t count) {
        const output partial;
        chunk_bytes of = bytes_of_chunk(how.operand(), how.axis(), count, partial);
        if (reaches_host_) return of.all();
        // The operand is not made, but what its chunks come to: one for each doubling waits for a neighbour.
        constexpr std::int64_t most_waiting = 24;
        const slices all(how.operand(), {});
        of.once -= all.of_root().size() * bytes_of(how.operand().get()->type);
        of.once += most_waiting * how.result_bytes();
        return of.all();
    }

    /// What cannot be cut, if it has room.
    void run_whole(const handle<term>& root, const slices& parts, output& to, const std::vector<std::string>& reasons) {
        const int what = what_is_whole(root);
        const std::int64_t needed = bytes_of_chunk(root, what, 0, to).all();
        const std::int64_t there = free_budget(on_);
        if (needed > there && !reaches_host_)
            throw error(text::format(
                "kiln: an expression of host arrays of shape {} on {} cannot be cut into chunks that fit, and "
                "takes {} bytes in one piece where {} may be taken ({}){}{}",
                to_string(parts.of_root()), name_of(*on_.known()), needed, there, budget_text(on_),
                reasons.empty() ? "" : ": ", text::format("{}", fmt::join(reasons, "; "))));
        finish(what == by_operands ? parts.whole(places()) : parts.in_one_piece(places()), to);
        once_.clear();
    }

    backend::device& on_;
    const char* const label_;
    const evaluate_function evaluate_terms_;
    const bool reaches_host_;
    uploads in_;
    downloads out_;
    known_copies chunk_;
    known_copies once_;
    std::vector<std::pair<handle<term>, handle<term>>> evaluated_;
    std::vector<handle<array_node>> read_;  // by this chunk, where it is
};

/// The result cannot go straight to where it is wanted: chunks would read what others have written.
bool reads_what_it_writes(const handle<term>& root, const output& to) {
    if (to.where != output::place::through) return false;
    bool found = false;
    each_host_array(&root, 1, [&](const array_node& node) {
        found = found || (plan::overlap(node, *to.target) && !plan::same_elements(node, *to.target));
    });
    return found;
}

}  // namespace

bool is_streamed(const handle<term>* roots, int root_count, const output* outputs) {
    if (!any_host_arrays() || in_a_chunk) return false;
    bool any = false;
    bool in_a_file = false;
    const auto meet = [&](const array_node& node) {
        any = true;
        in_a_file = in_a_file || file_of(node);
    };
    each_host_array(roots, root_count, meet);
    for (int i = 0; i < root_count; ++i)
        if (outputs[i].where == output::place::through && host_memory_of(*outputs[i].target)) meet(*outputs[i].target);
    if (!any) return false;
    backend::known_device& on = kiln::stage::device_of(roots, root_count, outputs, backend::current_known);
    return in_a_file || !backend::reaches_host(backend::device_at(on));
}

chunk_explanation explain(const handle<term>& root) {
    const output to;
    backend::known_device& known = kiln::stage::device_of(&root, 1, &to, backend::current_known);
    const backend::scoped_current here(known);
    return evaluation(backend::device_at(known), nullptr, nullptr).explain(root);
}

void evaluate(const handle<term>* roots, output* outputs, int output_count, const char* label,
              evaluate_function evaluate_terms) {
    backend::refuse_while_recording("an expression of host arrays");
    backend::known_device& known = kiln::stage::device_of(roots, output_count, outputs, backend::current_known);
    const backend::scoped_current here(known);
    for (int i = 0; i < output_count; ++i) {
        evaluation one(backend::device_at(known), label, evaluate_terms);
        if (!reads_what_it_writes(roots[i], outputs[i])) {
            one.run(roots[i], outputs[i]);
            one.wait();
            continue;
        }
        const handle<array_node> aside = make_host_array(roots[i].get()->type, outputs[i].target->extents);
        output into{output::place::through, false, aside.get()};
        one.run(roots[i], into);
        one.wait();
        one.run(kiln::detail::make_array_term(aside, roots[i].get()->type), outputs[i]);
        one.wait();
    }
}

}  // namespace kiln::streamed
