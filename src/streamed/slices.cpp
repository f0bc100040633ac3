#include <streamed/slices.hpp>

#include <capture/reduced.hpp>
#include <capture/reduction_table.hpp>
#include <capture/viewed.hpp>
#include <streamed/host_memory.hpp>
#include <text/format.hpp>

#include <kiln/evaluate.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace kiln::streamed {

using kiln::detail::view_spec;

namespace {

shape with_extent(const shape& of, int axis, std::int64_t extent) {
    std::int64_t extents[max_rank];
    std::copy(of.begin(), of.end(), extents);
    extents[axis] = extent;
    return shape(extents, of.rank());
}

std::string name_of(const term& of) {
    if (of.sorts.what != kiln::detail::sorted_rows::to::nothing) return "a sort";
    if (of.segments.count) return "what elements come to by segments";
    const char* const name = kiln::detail::name_of(of.reduces, of.bits[0]);
    return of.scans ? text::format("cum{}", name) : text::format("{}", name);
}

/// One part of one expression. A region is what is computed element by element in one shape: what a reduction is made of is another.
class cutter {
public:
    struct region {
        shape extents;
        int axis;
    };

    cutter(const slices& of, const order_is_kept& order, std::int64_t begin, std::int64_t count,
           const operand_places& places)
        : of_(of), order_(order), begin_(begin), count_(count), places_(places) {}

    /// Positions of that axis alone, if it has them.
    handle<term> cut(const handle<term>& root, const region& in) {
        const auto stops = [](const term& each) {
            return kiln::detail::stops_views(each) || each.what == term::kind::full;
        };
        walked_region& known = walked(in);
        kiln::detail::each_term(root.get(), known.seen, stops,
                                [&](const term& each) { known.made.emplace(&each, part_of(each, in, known.made)); });
        return known.made.at(root.get());
    }

    /// The same elements for every part, of operands in their places.
    handle<term> uncut(const handle<term>& root) {
        if (!of_.reads_host_arrays(*root.get())) return root;
        std::unordered_map<const term*, handle<term>> made;
        kiln::detail::term_table seen;
        const auto stops = [this](const term& each) {
            return kiln::detail::stops_views(each) || !of_.reads_host_arrays(each);
        };
        kiln::detail::each_term(root.get(), seen, stops,
                                [&](const term& each) { made.emplace(&each, uncut_of(each, made)); });
        return made.at(root.get());
    }

    /// Every operand in its place.
    handle<term> in_one_piece(const handle<term>& root) {
        made_terms made;
        kiln::detail::term_table seen;
        kiln::detail::each_term(
            root.get(), seen, [this](const term& each) { return !of_.reads_host_arrays(each); },
            [&](const term& each) {
                if (!of_.reads_host_arrays(each)) made.emplace(&each, kiln::detail::share(&each));
                else if (each.what == term::kind::array) made.emplace(&each, places_.whole(each.node));
                else
                    made.emplace(&each, kiln::detail::copy_with_operands(
                                            each, [&](const handle<term>& operand) { return made.at(operand.get()); }));
            });
        return made.at(root.get());
    }

private:
    using made_terms = std::unordered_map<const term*, handle<term>>;

    /// What stands in two reductions of one shape is one term in their parts, too: kernels that read it once find it so.
    struct walked_region {
        region of;
        kiln::detail::term_table seen;
        made_terms made;
    };

    walked_region& walked(const region& in) {
        for (walked_region& each : walked_)
            if (each.of.axis == in.axis && each.of.extents == in.extents) return each;
        return walked_.emplace_back(walked_region{in, {}, {}});
    }

    handle<term> uncut_of(const term& each, const made_terms& made) {
        if (!of_.reads_host_arrays(each)) return kiln::detail::share(&each);
        if (kiln::detail::stops_views(each)) {
            handle<term>& known = evaluated_[&each];
            if (!known) known = places_.evaluated(kiln::detail::share(&each));
            return known;
        }
        if (each.what == term::kind::array) return places_.whole(each.node);
        return kiln::detail::copy_with_operands(each,
                                                [&](const handle<term>& operand) { return made.at(operand.get()); });
    }

    [[nodiscard]] int own_axis(const shape& own, const region& in) const {
        return in.axis - (in.extents.rank() - own.rank());
    }
    [[nodiscard]] bool has_axis(const shape& own, const region& in) const {
        const int axis = own_axis(own, in);
        return axis >= 0 && own[axis] != 1;
    }

    /// A part of one that takes, which has the whole's positions.
    [[nodiscard]] static bool is_of_gather(const term& leaf) {
        const auto& map = leaf.node.get()->map;
        return map && map->lookup_count > 0;
    }

    handle<term> part_of(const term& each, const region& in, const made_terms& made) {
        switch (each.what) {
            case term::kind::array: {
                if (is_of_gather(each)) return kiln::detail::share(&each);
                if (!has_axis(of_.of(each), in)) return uncut(kiln::detail::share(&each));
                const handle<term> part = kiln::detail::seen_through(kiln::detail::share(&each),
                                                                     slice_of(in.extents, in.axis, begin_, count_));
                const handle<array_node>& node = part.get()->node;
                if (!is_on_host(*node.get())) return part;
                if (!node.get()->map) return places_.part(node);
                if (const auto blocks =
                        places_.rolled ? rolled_part::of(*node.get(), own_axis(of_.of(each), in)) : std::nullopt)
                    return places_.rolled(node, *blocks);
                return places_.whole(node);
            }
            case term::kind::position:
                if (is_of_gather(each)) return kiln::detail::share(&each);
                if (!has_axis(of_.of(each), in)) return kiln::detail::share(&each);
                return kiln::detail::seen_through(kiln::detail::share(&each),
                                                  slice_of(in.extents, in.axis, begin_, count_));
            case term::kind::free_position: {
                const int along = each.along < 0 ? each.along + in.extents.rank() : each.along;
                if (along != in.axis) return kiln::detail::share(&each);
                return kiln::detail::seen_through(kiln::detail::share(&each),
                                                  slice_of(in.extents, in.axis, begin_, count_));
            }
            case term::kind::full: {
                if (!has_axis(each.extents, in)) return kiln::detail::share(&each);
                handle<term> out = kiln::detail::copy_with_operands(each, [](const handle<term>& of) { return of; });
                out.get()->extents = with_extent(each.extents, own_axis(each.extents, in), count_);
                return out;
            }
            case term::kind::gather: return part_of_gather(each, in, made);
            case term::kind::reduced: return part_of_reduced(each, in);
            case term::kind::viewed: return part_of_view(each, in);
            case term::kind::scalar:
            case term::kind::constant: return kiln::detail::share(&each);
            case term::kind::operation: break;
        }
        return kiln::detail::copy_with_operands(each,
                                                [&](const handle<term>& operand) { return made.at(operand.get()); });
    }

    /// Its leaf has the positions of the whole in its map, which a slice of it starts elsewhere.
    handle<term> part_of_gather(const term& each, const region& in, const made_terms& made) {
        const term& from = *each.args[0].get();
        handle<term> leaf = kiln::detail::copy_without_operands(from);
        const handle<array_node> node = from.node ? from.node : kiln::detail::make_position(in.extents, from.along);
        leaf.get()->node = has_axis(node.get()->extents, in)
                               ? kiln::detail::viewed(node, slice_of(in.extents, in.axis, begin_, count_))
                               : node;
        leaf.get()->what = from.what == term::kind::array ? term::kind::array : term::kind::position;
        if (from.node && is_on_host(*from.node.get())) leaf = places_.whole(leaf.get()->node);
        handle<term> out = kiln::detail::copy_without_operands(each);
        kiln::detail::add_operand(*out.get(), std::move(leaf));
        for (int i = 1; i < each.arg_count; ++i) kiln::detail::add_operand(*out.get(), made.at(each.args[i].get()));
        return out;
    }

    handle<term> part_of_reduced(const term& each, const region& in) {
        const shape& own = of_.of(each);
        if (!has_axis(own, in)) return uncut(kiln::detail::share(&each));
        if (each.segments.count) throw not_cuttable(name_of(each) + " needs all elements");
        const handle<term>& operand = each.args[0];
        const shape& whole = of_.of(*operand.get());
        const std::uint8_t axes = kiln::detail::axes_of(each, whole);
        const bool keeps_rank =
            each.scans || each.keeps_axes || each.sorts.what != kiln::detail::sorted_rows::to::nothing;
        int axis = own_axis(own, in);
        if (keeps_rank && (axes >> axis & 1))
            throw not_cuttable(text::format("{} is along that axis of shape {}", name_of(each), to_string(whole)));
        if (!keeps_rank)
            for (int kept = axis, of = 0; of < whole.rank(); ++of) {
                if (axes >> of & 1) continue;
                if (kept-- == 0) axis = of;
            }
        const shape part = with_extent(whole, axis, count_);
        const bool is_kept =
            each.sorts.what != kiln::detail::sorted_rows::to::nothing || order_(each, whole, part, axes);
        if (!is_kept && each.reduces != kiln::detail::reduction_kind::dot)
            if (handle<term> made = places_.in_order(each, cut(operand, {whole, axis}), whole, axes)) return made;
        if (!is_kept)
            throw not_cuttable(
                text::format("parts of shape {} would be added up by {} in another order than all of shape {}",
                             to_string(part), name_of(each), to_string(whole)));
        handle<term> out = kiln::detail::copy_without_operands(each);
        kiln::detail::add_operand(*out.get(), cut(operand, {whole, axis}));
        return out;
    }

    /// Of a view the axis must be one of what it sees, as a whole, or new.
    handle<term> part_of_view(const term& each, const region& in) {
        const view_spec& by = *each.view;
        if (!has_axis(by.to, in)) return uncut(kiln::detail::share(&each));
        const int axis = own_axis(by.to, in);
        if (by.how != view_spec::kind::affine || each.arg_count != 1)
            throw not_cuttable("a reduction, or many terms, are seen through a view that is no slice of them");
        view_spec part = by;
        part.to = with_extent(by.to, axis, count_);
        int source = -1;
        for (int from = 0; from < by.from.rank(); ++from) {
            if (by.to_axis[from] != axis || by.step[from] == 0) continue;
            if (source >= 0) throw not_cuttable("a diagonal of a reduction is along that axis");
            source = from;
        }
        handle<term> out = kiln::detail::copy_without_operands(each);
        if (source < 0) {
            kiln::detail::add_operand(*out.get(), uncut(each.args[0]));
        } else {
            if (by.step[source] != 1 || by.start[source] != 0 || by.from[source] != by.to[axis])
                throw not_cuttable("a part of a reduction, or of many terms, is seen along that axis");
            part.from = with_extent(by.from, source, count_);
            kiln::detail::add_operand(*out.get(), cut(each.args[0], {by.from, source}));
        }
        out.get()->view = std::make_unique<const view_spec>(part);
        return out;
    }

    const slices& of_;
    const order_is_kept& order_;
    const std::int64_t begin_;
    const std::int64_t count_;
    const operand_places& places_;
    made_terms evaluated_;
    std::deque<walked_region> walked_;
};

}  // namespace

view_spec slice_of(const shape& from, int axis, std::int64_t begin, std::int64_t count) {
    view_spec out;
    out.from = from;
    out.to = with_extent(from, axis, count);
    for (int each = 0; each < from.rank(); ++each) {
        out.step[each] = 1;
        out.to_axis[each] = each;
    }
    out.start[axis] = begin;
    return out;
}

slices::slices(const handle<term>& root, order_is_kept order) : root_(root), order_(std::move(order)) {
    kiln::detail::term_table seen;
    kiln::detail::each_term(
        root.get(), seen, [](const term&) { return false; },
        [this](const term& each) {
            shape out;
            bool reads = each.node && is_on_host(*each.node.get());
            if (each.node) out = each.node.get()->extents;
            else if (each.what == term::kind::full) out = each.extents;
            else if (each.what == term::kind::viewed) out = each.view->to;
            const bool has_own = each.what == term::kind::full || each.what == term::kind::viewed;
            for (int i = 0; i < each.arg_count; ++i) {
                const term* const operand = each.args[i].get();
                reads = reads || reads_host_.at(operand);
                if (!has_own) out = kiln::detail::broadcast_shapes(out, shapes_.at(operand));
            }
            if (each.what == term::kind::reduced)
                out = kiln::detail::result_shape(each, out, kiln::detail::axes_of(each, out));
            shapes_.emplace(&each, out);
            reads_host_.emplace(&each, reads);
        });
}

handle<term> slices::part(int axis, std::int64_t begin, std::int64_t count, const operand_places& places) const {
    return cutter(*this, order_, begin, count, places).cut(root_, {of_root(), axis});
}

handle<term> slices::whole(const operand_places& places) const {
    return cutter(*this, order_, 0, 0, places).uncut(root_);
}

handle<term> slices::in_one_piece(const operand_places& places) const {
    return cutter(*this, order_, 0, 0, places).in_one_piece(root_);
}

}  // namespace kiln::streamed
