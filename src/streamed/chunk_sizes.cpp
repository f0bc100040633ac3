#include <streamed/chunk_sizes.hpp>

#include <capture/reduced.hpp>
#include <device/devices.hpp>
#include <evaluate.hpp>
#include <plan/ceil_div.hpp>
#include <streamed/budget.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/known_copies.hpp>
#include <streamed/order.hpp>
#include <streamed/scan_in_order.hpp>
#include <streamed/taken_elements.hpp>
#include <streamed/transfers.hpp>
#include <text/format.hpp>

#include <kiln/options.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace kiln::streamed {

using kiln::detail::output;

namespace {

// In place of an axis: nothing is cut.
constexpr int in_one_piece = -1;
constexpr int by_operands = -2;  // reductions of host arrays before, by themselves
int what_is_whole(const handle<term>& root) {
    return kiln::detail::stops_views(*root.get()) ? in_one_piece : by_operands;
}

handle<term> zero_of(element_type type) {
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
            for (const kiln::stage::result& made : each.results)
                if (made.root < 0) bytes += made.extents.size() * bytes_of(made.type);
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

bool has_scans_below(const handle<term>& root) {
    bool any = false;
    kiln::detail::term_table seen;
    kiln::detail::each_term(
        root.get(), seen, [](const term&) { return false; },
        [&](const term& each) { any = any || (each.scans && &each != root.get()); });
    return any;
}

}  // namespace

handle<term> stand_in(const term& reduction, const shape& part, std::uint8_t axes) {
    return kiln::detail::make_full_term(
        reduction.scans ? part : kiln::detail::reduced_shape(part, axes, reduction.keeps_axes),
        zero_of(reduction.type));
}

bool writes_host(const output& to) noexcept {
    return to.where == output::place::through && to.target->owned == kiln::detail::ownership::host_user;
}

chunk_sizes::chunk_sizes(backend::device& on) : on_(on), reaches_host_(backend::reaches_host(on)) {}

order_is_kept chunk_sizes::order() const {
    return [this](const term& reduction, const shape& whole, const shape& part, std::uint8_t axes) {
        const element_type accumulated =
            kiln::detail::accumulated_type(reduction.reduces, reduction.args[0].get()->type);
        if (whole.size() == 0) return true;  // nothing is added up
        if (is_any_order(reduction.reduces, accumulated)) return true;
        if (!reduction.scans) return same_order(whole, part, axes, on_.target().reduces);
        return same_scan_order(whole, part, std::countr_zero(axes), reduction.reduces, accumulated, on_.target());
    };
}

/// What a chunk costs beside its copies (3 to 6 us) is paid for each, and beside the first one's way in and the last one's way out nothing
/// else is done: together that is least where a chunk's bytes are in proportion to the root of all. Chunks that grow at the beginning and
/// shrink at the end gain nothing: a link that is as fast out as in is done when all has come in, and once more the largest chunk's time later.
/// 256 MB in and out take 5.58 ms by hand on an H200 in 32 chunks, 5.61 in 64, 5.67 in 16, 5.96 in 8. 0: not one position has room.
std::int64_t chunk_sizes::largest_count(std::int64_t extent, std::int64_t of_position, std::int64_t room) const {
    constexpr double proportion = 1100 << 10;                   // bytes on the device, of all of a chunk's
    constexpr double most_bytes = 108 << 20;                    // 16 MB each way
    const double least_bytes = (reaches_host_ ? 64 : 4) << 20;  // else kernels are too short
    constexpr std::int64_t positions_together = 256;            // so that all begin where vectors do
    if (room < of_position) return 0;
    if (of_position <= 0) return extent;
    const double all = static_cast<double>(extent) * static_cast<double>(of_position);
    const double usual = std::clamp(std::sqrt(all * proportion), least_bytes, most_bytes);
    std::int64_t count = std::min(room, static_cast<std::int64_t>(usual)) / of_position;
    count = std::max<std::int64_t>(1, count);
    if (count >= extent) return extent;
    if (count > positions_together) count -= count % positions_together;
    return count;
}

chunk_bytes chunk_sizes::bytes_of_chunk(const handle<term>& root, int axis, std::int64_t count, const output& to,
                                        bool check) const {
    const order_is_kept kept = order();
    const slices parts(root, [&](const term& reduction, const shape& whole, const shape& part, std::uint8_t axes) {
        const bool may_be = !check && reduction.scans && !can_scan_in_order(reduction, on_.target());
        return may_be || kept(reduction, whole, part, axes);
    });
    return bytes_of_chunk(root, parts, axis, count, to);
}

/// Counts what chunks would take, and copies nothing. Throws not_cuttable.
chunk_bytes chunk_sizes::bytes_of_chunk(const handle<term>& root, const slices& parts, int axis, std::int64_t count,
                                        const output& to) const {
    chunk_bytes out;
    known_copies chunk;
    known_copies once;
    const auto counted = [](std::int64_t& into) {
        return [&into](const array_node& of) {
            into += bytes_of_copy(of);
            return kiln::detail::share(of);
        };
    };
    const operand_places counting{
        [&](const handle<array_node>& node) { return chunk.of(node, counted(out.in)); },
        [&](const handle<array_node>& node) {
            if (!node.get()->map) return once.of(node, counted(out.once));
            (void)once.of(kiln::detail::share(node.get()->storage()), counted(out.once));
            return kiln::detail::make_array_term(node, node.get()->type);
        },
        [&](const handle<term>& made) {
            const shape& extents = parts.of(*made.get());
            out.once += extents.size() * bytes_of(made.get()->type);
            return kiln::detail::make_full_term(extents, zero_of(made.get()->type));
        },
        [&](const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes) {
            const shape extents = kiln::detail::broadcast_leaves(part);
            if (reduction.scans && !can_scan_in_order(reduction, on_.target())) return handle<term>();
            handle<term> made = stand_in(reduction, extents, axes);
            if (reduction.scans) {
                out.made += bytes_of_scan_in_order(reduction, extents) + extents.size() * bytes_of(reduction.type);
                return made;
            }
            const taken_elements taken(reduction, whole, axes);
            const std::int64_t values = std::max<std::int64_t>(1, made.get()->extents.size());
            out.made += taken.bytes(*part.get(), extents) + values * bytes_of(reduction.type) +
                        taken.bytes_known(on_.target(), extents, extents.size() / values);
            return made;
        },
        reaches_host_ ? decltype(operand_places::rolled)()
                      : [&](const handle<array_node>& node, const rolled_part&) {
                            return chunk.of(node, [&out](const array_node& of) {
                                out.in += of.extents.size() * bytes_of(of.type);
                                return kiln::detail::share(of);
                            });
                        }};
    const handle<term> part = axis == in_one_piece  ? parts.in_one_piece(counting)
                              : axis == by_operands ? parts.whole(counting)
                                                    : parts.part(axis, 0, count, counting);
    const shape extents = kiln::detail::broadcast_leaves(part);
    const std::int64_t bytes = extents.size() * bytes_of(root.get()->type);
    if (writes_host(to)) out.out = bytes;
    if (to.where != output::place::through) out.once += parts.of_root().size() * bytes_of(root.get()->type);
    out.made += bytes_between_kernels(part);
    if (reaches_host_) {
        // Where they are read and written: pages of files.
        out.once = 0;
        out.made = 0;
    }
    return out;
}

cutting chunk_sizes::cut(const handle<term>& root, const slices& parts, const output& to) const {
    cutting out;
    std::optional<carried> how;
    std::vector<std::string> why_not;
    if (root.get()->what == term::kind::reduced) how = carried::of(root, on_.target(), why_not);
    // Chunks that are neighbours in memory come from it faster than parts of each row.
    if (how && how->is_outermost() && cut_carried(*how, out)) return out;
    const shape& extents = parts.of_root();
    for (int axis = 0; axis < extents.rank(); ++axis) {
        if (extents[axis] == 1) continue;
        try {
            out.count = chunk_of(root, parts, axis, to);
            out.axis = axis;
            if (out.count > 0) return out;
            const std::int64_t least = bytes_of_chunk(root, axis, 1, to).all();
            out.reasons.push_back(text::format("one position of axis {} takes {} bytes", axis, least));
            out.least = out.least ? std::min(out.least, least) : least;
        } catch (const not_cuttable& why) {
            out.reasons.push_back(text::format("along axis {}: {}", axis, why.what()));
        }
    }
    out.axis = -1;
    out.reasons.insert(out.reasons.end(), why_not.begin(), why_not.end());
    if (how && !how->is_outermost()) cut_carried(*how, out);
    if (out.axis < 0 && root.get()->what == term::kind::reduced) cut_scan(root, to, out);
    return out;
}

/// Along a scan's own axis, if its parts have room.
void chunk_sizes::cut_scan(const handle<term>& root, const output& to, cutting& out) const {
    std::optional<carried_scan> how = carried_scan::of(root, on_.target(), out.reasons);
    if (!how) return;
    const handle<term>& operand = root.get()->args[0];
    const output partial;
    const std::int64_t extent = slices(operand, order()).of_root()[how->axis()];
    const auto bytes = [&](std::int64_t count) {
        chunk_bytes of = bytes_of_chunk(operand, how->axis(), count, partial);
        const std::int64_t result = extent * how->inner() * bytes_of(how->type());
        const std::int64_t made = (count + how->before(count)) * how->inner() * bytes_of(how->type());
        of.out = made;  // one leaves while the next is made
        if (reaches_host_) return of.all();
        of.once +=
            (to.where == output::place::through ? 0 : result) - extent * how->inner() * bytes_of(operand.get()->type);
        of.once += 2 * how->bytes_of_totals();
        return of.all();
    };
    try {
        const std::int64_t room = free_budget(on_);
        constexpr std::int64_t together = 8;  // of one part: what the CPU adds up before it is on top of anything
        const std::int64_t least = std::min(extent, how->parts() > 1 ? how->part() : together);
        const std::int64_t one = bytes(least);
        const std::int64_t most =
            largest_count(extent, std::max<std::int64_t>(1, (bytes(2 * least) - one) / least), room);
        out.count = std::max(least, most == extent ? extent : most - most % least);
        while (out.count > least && bytes(out.count) > room)
            out.count = std::max(least, out.count / 2 - out.count / 2 % least);
        if (bytes(out.count) > room) {
            out.reasons.push_back(text::format("along axis {}: {} positions, a part of its order, take {} bytes",
                                               how->axis(), out.count, bytes(out.count)));
            return;
        }
        if (!fits_in_order(operand, how->axis(), out.count, extent, partial))
            throw_order(operand, how->axis(), out.count, partial);
    } catch (const not_cuttable& why) {
        out.reasons.push_back(text::format("along axis {}: {}", how->axis(), why.what()));
        return;
    }
    out.axis = how->axis();
    out.scans = std::move(how);
}

/// Along the axis that a reduction goes over. False, and one reason more: it cannot be.
bool chunk_sizes::cut_carried(const carried& how, cutting& out) const {
    try {
        out.count = carried_count(how, out.reasons);
    } catch (const not_cuttable& why) {
        out.reasons.push_back(text::format("along axis {}: {}", how.axis(), why.what()));
        return false;
    }
    if (out.count == 0) return false;
    out.axis = how.axis();
    out.carries = how;
    return true;
}

/// Positions of a chunk; 0: not one has room.
std::int64_t chunk_sizes::carried_count(const carried& how, std::vector<std::string>& reasons) const {
    const std::int64_t extent = slices(how.operand(), order()).of_root()[how.axis()];
    const std::int64_t one = bytes_of_carried(how, 1);
    const std::int64_t room = free_budget(on_);
    if (one > room) {
        reasons.push_back(text::format("along axis {}: one position, and what is known of those before, take {} bytes",
                                       how.axis(), one));
        return 0;
    }
    const std::int64_t of_position = std::max<std::int64_t>(0, bytes_of_carried(how, 2) - one);
    std::int64_t count = std::max<std::int64_t>(1, largest_count(extent, of_position, room - (one - of_position)));
    while (count > 1 && bytes_of_carried(how, count) > room) count -= plan::ceil_div(count, 8);
    if (count < extent && count > how.together()) count -= count % how.together();
    if (const output partial; !fits_in_order(how.operand(), how.axis(), count, extent, partial))
        throw_order(how.operand(), how.axis(), count, partial);
    return count;
}

/// Positions of a chunk; 0: not one has room. Throws not_cuttable.
std::int64_t chunk_sizes::chunk_of(const handle<term>& root, const slices& parts, int axis, const output& to) const {
    const std::int64_t extent = parts.of_root()[axis];
    // Without reductions no order is asked about, and the slices that are there will do: this comes before the first copy of each evaluation.
    const auto bytes = [&](std::int64_t count) {
        return root.get()->has_stages ? bytes_of_chunk(root, axis, count, to)
                                      : bytes_of_chunk(root, parts, axis, count, to);
    };
    const chunk_bytes one = bytes(1);
    const chunk_bytes two = bytes(2);
    const std::int64_t of_position = two.all() - one.all();
    const std::int64_t before = one.all() - of_position;
    const std::int64_t wanted = largest_count(extent, of_position, std::numeric_limits<std::int64_t>::max());
    const std::int64_t rest = free_budget(on_, before + wanted * of_position) - before;
    std::int64_t count = largest_count(extent, of_position, rest);
    while (count > 0) {
        if (fits_in_order(root, axis, count, extent, to)) return count;
        if (count == 1) throw_order(root, axis, count, to);
        count = count == extent ? largest_count(extent - 1, of_position, rest) : count / 2;
    }
    return 0;
}

/// Whether orders of additions are those of the whole, in each chunk and in the last one.
bool chunk_sizes::fits_in_order(const handle<term>& root, int axis, std::int64_t count, std::int64_t extent,
                                const output& to) const {
    if (!root.get()->has_stages) return true;  // nothing is added up
    try {
        (void)bytes_of_chunk(root, axis, count, to, /*check=*/true);
        if (const std::int64_t last = extent % count) (void)bytes_of_chunk(root, axis, last, to, /*check=*/true);
        return true;
    } catch (const not_cuttable&) {
        return false;
    }
}
void chunk_sizes::throw_order(const handle<term>& root, int axis, std::int64_t count, const output& to) const {
    (void)bytes_of_chunk(root, axis, count, to, /*check=*/true);
    throw not_cuttable("its last part would be added up in another order");
}

std::int64_t chunk_sizes::bytes_of_carried(const carried& how, std::int64_t count) const {
    const output partial;
    chunk_bytes of = bytes_of_chunk(how.operand(), how.axis(), count, partial);
    of.made += how.bytes_of_elements(count);
    if (reaches_host_) return of.all();
    // The operand is not made, but what its chunks come to.
    const slices all(how.operand(), {});
    of.once -= all.of_root().size() * bytes_of(how.operand().get()->type);
    of.once += how.bytes_known(on_.target(), count);
    return of.all();
}

chunk_explanation chunk_sizes::explain(const handle<term>& root) const {
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
        out.device_bytes = reaches_host_ ? 0 : all.all(1);
        out.why_whole = text::format("{}", fmt::join(how.reasons, "; "));
        if (!reaches_host_ && out.device_bytes > free_budget(on_) && has_scans_below(root))
            out.why_whole += "; it has no room: scans go to the host's memory first, and the rest is cut then";
        return out;
    }
    const handle<term>& operand = how.carries ? how.carries->operand() : how.scans ? root.get()->args[0] : root;
    const slices cut_parts(operand, order());
    const std::int64_t extent = cut_parts.of_root()[how.axis];
    const chunk_bytes all = bytes_of_chunk(operand, how.axis, extent, to);
    out.count = plan::ceil_div(extent, how.count);
    out.bytes_in = all.in + (reaches_host_ ? 0 : all.once - cut_parts.of_root().size() * bytes_of(operand.get()->type));
    if (how.scans && how.scans->parts() > 1) out.bytes_in *= 2;  // once for what parts come to
    if (!reaches_host_ && !how.scans)
        out.device_bytes = how.carries ? bytes_of_carried(*how.carries, how.count)
                                       : bytes_of_chunk(root, how.axis, how.count, to).all(out.count);
    return out;
}

bool chunk_sizes::goes_by_operands(const handle<term>& root) { return what_is_whole(root) == by_operands; }

std::int64_t chunk_sizes::bytes_in_one_piece(const handle<term>& root, const output& to) const {
    return bytes_of_chunk(root, what_is_whole(root), 0, to).all(1);
}

std::int64_t chunk_sizes::count_together(const handle<term>* roots, const output* outputs, int root_count, int axis,
                                         std::int64_t extent, std::int64_t most) const {
    constexpr std::int64_t positions_together = 256;
    const std::int64_t room = free_budget(on_);
    for (std::int64_t count = most; count > 0; count /= 2) {
        if (count < extent && count > positions_together) count -= count % positions_together;
        std::int64_t bytes = 0;
        bool fits = true;
        for (int i = 0; fits && i < root_count; ++i) {
            const std::int64_t result =
                slices(roots[i], {}).of_root().size() / extent * count * bytes_of(roots[i].get()->type);
            bytes += bytes_of_chunk(roots[i], axis, count, outputs[i]).all();  // of operands that several read too much
            bytes += writes_host(outputs[i]) ? 0 : result + result / 8;        // before it is put in its place
            fits = bytes <= room && fits_in_order(roots[i], axis, count, extent, outputs[i]);
        }
        if (fits) return count;
    }
    return 0;
}

}  // namespace kiln::streamed
