#include <streamed/chunk_sizes.hpp>

#include <device/devices.hpp>
#include <evaluate.hpp>
#include <plan/ceil_div.hpp>
#include <streamed/budget.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/known_copies.hpp>
#include <streamed/order.hpp>
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

}  // namespace

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

/// What a chunk costs beside its copies (3 us on an H100) is paid for each, and beside the first one's way in and the last one's way out
/// nothing else is done: together that is least where a chunk's bytes are in proportion to the root of all. 256 MB in and out take
/// 5.60 ms there in 24 to 64 chunks, 5.95 in 8, 5.88 in 128. 0: not one position has room.
std::int64_t chunk_sizes::largest_count(std::int64_t extent, std::int64_t of_position, std::int64_t room) const {
    constexpr double proportion = 640 << 10;                    // bytes on the device, of all of a chunk's
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

/// Counts what chunks would take, and copies nothing. `check`: throws not_cuttable for orders of additions, too.
chunk_bytes chunk_sizes::bytes_of_chunk(const handle<term>& root, int axis, std::int64_t count, const output& to,
                                        bool check) const {
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
    out.made = bytes_between_kernels(part);
    if (reaches_host_) {
        // Where they are read and written: pages of files.
        out.once = 0;
        out.made = 0;
    }
    return out;
}

cutting chunk_sizes::cut(const handle<term>& root, const slices& parts, const output& to) const {
    cutting out;
    const shape& extents = parts.of_root();
    for (int axis = 0; axis < extents.rank(); ++axis) {
        if (extents[axis] == 1) continue;
        try {
            out.count = chunk_of(root, parts, axis, to);
            out.axis = axis;
            if (out.count > 0) return out;
            out.reasons.push_back(
                text::format("one position of axis {} takes {} bytes", axis, bytes_of_chunk(root, axis, 1, to).all()));
        } catch (const not_cuttable& why) {
            out.reasons.push_back(text::format("along axis {}: {}", axis, why.what()));
        }
    }
    out.axis = -1;
    if (root.get()->what != term::kind::reduced) return out;
    std::optional<carried> how = carried::of(root, on_.target().reduces, out.reasons);
    if (!how) return out;
    try {
        out.count = carried_count(*how, out.reasons);
    } catch (const not_cuttable& why) {
        out.reasons.push_back(text::format("along axis {}: {}", how->axis(), why.what()));
        return out;
    }
    if (out.count == 0) return out;
    out.axis = how->axis();
    out.carries = std::move(how);
    return out;
}

/// Positions of a chunk; 0: as many as keep the order of additions have no room.
std::int64_t chunk_sizes::carried_count(const carried& how, std::vector<std::string>& reasons) const {
    const std::int64_t extent = slices(how.operand(), order()).of_root()[how.axis()];
    const std::int64_t one = bytes_of_carried(how, 1);
    const std::int64_t of_position = bytes_of_carried(how, 2) - one;
    const std::int64_t rest = free_budget(on_) - (one - of_position);
    const std::int64_t most = largest_count(extent, of_position, rest);
    std::int64_t count = most;
    if (most < extent && how.least() > 1)  // else there is one chunk, or chunks of any size
        for (count = how.least(); count <= most / 2;) count *= 2;
    count = std::min(std::max<std::int64_t>(count, 1), extent);
    if (const output partial; !fits_in_order(how.operand(), how.axis(), count, extent, partial))
        throw_order(how.operand(), how.axis(), count, partial);
    if (count * of_position <= rest) return count;
    reasons.push_back(
        text::format("along axis {}: chunks of {} positions, which keep the order of additions, take {} bytes",
                     how.axis(), count, bytes_of_carried(how, count)));
    return 0;
}

/// Positions of a chunk; 0: not one has room. Throws not_cuttable.
std::int64_t chunk_sizes::chunk_of(const handle<term>& root, const slices& parts, int axis, const output& to) const {
    const std::int64_t extent = parts.of_root()[axis];
    const chunk_bytes one = bytes_of_chunk(root, axis, 1, to);
    const chunk_bytes two = bytes_of_chunk(root, axis, 2, to);
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
    if (reaches_host_) return of.all();
    // The operand is not made, but what its chunks come to: one for each doubling waits for a neighbour.
    constexpr std::int64_t most_waiting = 24;
    const slices all(how.operand(), {});
    of.once -= all.of_root().size() * bytes_of(how.operand().get()->type);
    of.once += most_waiting * how.result_bytes();
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
        return out;
    }
    const handle<term>& operand = how.carries ? how.carries->operand() : root;
    const slices cut_parts(operand, order());
    const std::int64_t extent = cut_parts.of_root()[how.axis];
    const chunk_bytes all = bytes_of_chunk(operand, how.axis, extent, to);
    out.count = plan::ceil_div(extent, how.count);
    out.bytes_in = all.in + (reaches_host_ ? 0 : all.once - cut_parts.of_root().size() * bytes_of(operand.get()->type));
    if (!reaches_host_)
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
