#include <plan/policy/contraction_operands.hpp>

#include <plan/contraction.hpp>

#include <algorithm>

namespace kiln::plan {

using nest::value;
namespace types = nest::types;

int contraction_place::extent(side along) const {
    return along == side::rows ? tile().rows : along == side::columns ? tile().columns : 1;
}

int contraction_place::values(side along) const {
    return along == side::rows ? tile().thread_rows : along == side::columns ? tile().thread_columns : 1;
}

int contraction_place::neighbours(side along) const {
    if (along == side::rows && tile().lines) return 1;
    const bool is_one_piece = along == side::rows && tile().stages == 0;
    return is_one_piece ? values(along) : std::min(4, values(along));
}

value contraction_place::in_tile(side along, value number) const {
    const value from = along == side::rows ? thread_row : thread_column;
    const int together = neighbours(along);
    const int groups = values(along) / together;
    if (groups == 1) return from + number;
    const int warp_threads = along == side::rows ? warp_rows : warp_columns;
    const int apart = has_warp_tiles() ? warp_threads * together : extent(along) / groups;
    return from + number / together * apart + number % together;
}

value contraction_place::position(side along, value in_tile) const {
    return along == side::rows ? first_row + in_tile : first_column + in_tile;
}

contraction_operands::contraction_operands(nest::builder& to, const contraction_place& at,
                                           const std::vector<bool>& are_reduced)
    : to_(to), at_(at), inputs_(at.of.inputs.size()) {
    for (int axis = 0; axis < at_.of.rank; ++axis)
        if (at_.of.reduced_axes >> axis & 1) reduced_axes_.push_back(axis);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const std::uint8_t axes = at_.of.inputs[i].axes_read();
        input& each = inputs_[i];
        each.is_reduced = are_reduced[i];
        if (!each.is_reduced) continue;
        each.deep = axes & at_.of.reduced_axes;
        if (axes >> at_.axis(side::rows) & 1) each.of = side::rows;
        else if (axes >> at_.axis(side::columns) & 1) each.of = side::columns;
        if (!each.deep || !is_copied()) continue;
        each.moved = copied_at_once(at_.of, i);
        each.is_line = is_line(at_.of, i);
    }
}

const operand& contraction_operands::operand_of(const input& of) const {
    return at_.of.inputs[static_cast<std::size_t>(&of - inputs_.data())];
}

const std::string& contraction_operands::name_of(const input& of) const {
    return at_.operands.input_name(static_cast<std::size_t>(&of - inputs_.data()));
}

void contraction_operands::declare() {
    for (input& each : inputs_) {
        if (!each.deep) continue;
        const nest::type type = types::element(operand_of(each).type);
        const int of_stage = staged_elements(at_.of, static_cast<std::size_t>(&each - inputs_.data()));
        each.shared = is_copied() ? to_.dynamic_shared("shared_" + name_of(each), type, at_.tile().stages * of_stage)
                                  : to_.shared("shared_" + name_of(each), type, (at_.tile().serial ? 1 : 2) * of_stage,
                                               /*aligned=*/16);
    }
}

/// The last one's where there is none.
std::vector<value> contraction_operands::positions_beside(side of, value in_tile, int moved) {
    std::vector<value> out = at_.positions;
    if (of != side::neither)
        out[static_cast<std::size_t>(at_.axis(of))] =
            to_.let(of == side::rows ? "row" : "column", types::index,
                    to_.least(at_.position(of, in_tile), at_.operands.extent(at_.axis(of)) - moved));
    return out;
}

value contraction_operands::element(std::size_t i, side of, value in_tile) {
    return at_.operands.element(
        i, at_.operands.address(at_.of.inputs[i], at_.operands.input_name(i), positions_beside(of, in_tile, 1)));
}

void contraction_operands::begin() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        input& each = inputs_[i];
        if (!each.is_reduced) continue;
        const element_type of = at_.of.inputs[i].type;
        const nest::type type = types::element(of);
        const std::string name = "v_" + name_of(each);
        const int values = at_.values(each.of);
        if (each.deep) {
            each.lanes = each.is_line ? each.moved : std::min(values, std::clamp(16 / bytes_of(of), 1, 4));
            each.own = to_.own(name, each.lanes > 1 ? types::vector(of, each.lanes) : type,
                               each.is_line ? values : values / each.lanes);
            if (!is_copied()) each.loaded = to_.own("next_" + name_of(each), type, rounds(each));
            if (each.is_line) divide_lines(each);
            else divide(each);
            start(each);
        } else if (each.of == side::neither) {
            each.one = to_.let(name, element(i, side::neither, {}));
        } else {
            each.own = to_.own(name, type, values);
            to_.unrolled("v", values, [&](value v) {
                to_.assign(to_.at(each.own, v), element(i, each.of, at_.in_tile(each.of, v)));
            });
        }
    }
}

/// Of all threads, in a round.
int contraction_operands::moves(const input& of) const { return at_.tile().depth * at_.extent(of.of) / of.moved; }

int contraction_operands::rounds(const input& of) const {
    return static_cast<int>(ceil_div(moves(of), at_.of.threads_per_block * of.passes));
}

/// Which of an operand's elements come by this thread: where neighbours are those of one value, eight of each of four, so that both
/// what is read and what is left in shared memory lie in as many banks as they can.
void contraction_operands::divide(input& of) {
    const int threads = at_.of.threads_per_block;
    const int extent = at_.extent(of.of) / of.moved;
    const bool turned = operand_of(of).address.unit_axes & at_.of.reduced_axes;
    const int most_beside = std::min(8, is_copied() ? at_.tile().depth : threads / extent);
    const int beside = turned ? most_beside : 1;
    const std::string& name = name_of(of);
    if (of.of == side::neither) {
        of.deep_from = at_.thread;
    } else {
        of.apart = std::min(extent, threads / beside);
        of.passes = extent / of.apart;
        const value deep = at_.thread % beside;
        of.deep_from = to_.let("deep_of_" + name, types::small,
                               !turned         ? at_.thread / extent
                               : of.passes > 1 ? deep
                                               : deep + at_.thread / (beside * extent) * beside);
        const value across = at_.thread / beside % of.apart;
        of.across = to_.let("across_" + name, types::small, of.moved > 1 ? across * of.moved : across);
    }
    of.rise = threads * of.passes / extent;
}

/// Neighbouring threads have neighbouring vectors of a row.
void contraction_operands::divide_lines(input& of) {
    const int in_line = at_.tile().depth / of.moved;
    const std::string& name = name_of(of);
    of.apart = std::min(at_.tile().rows, at_.of.threads_per_block / in_line);
    of.passes = at_.tile().rows / of.apart;
    of.deep_from = to_.let("deep_of_" + name, types::small, at_.thread % in_line * of.moved);
    of.across = to_.let("across_" + name, types::small, at_.thread / in_line);
}

void contraction_operands::start(input& of) {
    const std::string& name = name_of(of);
    // Of the usual operand, by how much it moves on: from element to element of a value.
    if (reduced_axes_.size() != 1 || !operand_of(of).steps.empty()) return;
    const auto from = [&](value pass) {
        std::vector<value> positions = positions_beside(of.of, across_of(of, pass), of.is_line ? 1 : of.moved);
        positions[static_cast<std::size_t>(reduced_axes_[0])] = of.deep_from;
        of.stride = at_.operands.stride(operand_of(of), reduced_axes_[0]);
        return at_.operands.address(operand_of(of), name, positions);
    };
    if (of.passes == 1) {
        of.at = to_.variable("next_at_" + name, types::index, from({}));
        return;
    }
    of.places = to_.own("next_at_" + name, types::index, of.passes);
    to_.unrolled("p", of.passes, [&](value p) { to_.assign(to_.at(of.places, p), from(p)); });
}

bool contraction_operands::has_place(const input& of) const { return of.at.is_there() || of.places != nest::none; }

value contraction_operands::next_place(const input& of, value pass) {
    return of.places == nest::none ? of.at : to_.at(of.places, pass);
}

value contraction_operands::across_of(const input& of, value pass) const {
    return of.passes > 1 ? of.across + pass * of.apart : of.across;
}

/// The thread's part of an operand's next elements.
template <class Each>
void contraction_operands::each_of_next(const input& of, Each each) {
    to_.unrolled("p", of.passes, [&](value p) {
        to_.unrolled("u", rounds(of), [&](value u) {
            const value deep = rounds(of) > 1 ? of.deep_from + u * of.rise : of.deep_from;
            if (moves(of) % at_.of.threads_per_block == 0) each(p, u, deep);
            else to_.when(deep < at_.tile().depth, [&] { each(p, u, deep); });
        });
    });
}

value contraction_operands::address_of(const input& of, value pass, value u, value number) {
    if (has_place(of)) {
        const value next = next_place(of, pass);
        return rounds(of) > 1 ? next + u * of.rise * of.stride : next;
    }
    std::vector<value> positions = positions_beside(of.of, across_of(of, pass), of.moved);
    at_.operands.positions(number, reduced_axes_, positions);
    return at_.operands.address(operand_of(of), name_of(of), positions);
}

void contraction_operands::load(value first) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const input& of = inputs_[i];
        if (!of.deep) continue;
        each_of_next(of, [&](value pass, value u, value deep) {
            const value number = to_.let("n", types::number, first + deep);
            to_.when(number < at_.reduced, [&] {
                to_.assign(to_.at(of.loaded, u), at_.operands.element(i, address_of(of, pass, u, number)));
            });
        });
        go_on(of);
    }
}

void contraction_operands::go_on(const input& of) {
    if (!has_place(of) || at_.tile().serial) return;
    to_.unrolled("p", of.passes,
                 [&](value p) { to_.assign(next_place(of, p), next_place(of, p) + of.stride * at_.tile().depth); });
}

void contraction_operands::copy(value first, value stage, bool all_there) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const input& of = inputs_[i];
        if (!of.deep) continue;
        const element_type type = at_.of.inputs[i].type;
        const nest::type moved = of.moved > 1 ? types::vector(type, of.moved) : types::element(type);
        each_of_next(of, [&](value pass, value u, value deep) {
            const auto copy_one = [&] {
                to_.copy_async(to_.at(of.shared, place(of, stage, deep, across_of(of, pass)), moved),
                               to_.at(at_.operands.memory_of_input(i), address_of(of, pass, u, first), moved));
            };
            if (all_there) copy_one();
            else to_.when(first + deep < at_.reduced, copy_one);
        });
        go_on(of);
    }
}

value contraction_operands::place(const input& of, value stage, value deep, value across) const {
    const int pitch = staged_pitch(at_.of, static_cast<std::size_t>(&of - inputs_.data()));
    if (of.is_line) return (stage * at_.tile().rows + across) * pitch + deep;
    const value row = (stage * at_.tile().depth + deep) * pitch;
    return across.is_there() ? row + across : row;
}

void contraction_operands::leave_in(value stage) {
    for (const input& of : inputs_) {
        if (!of.deep) continue;
        each_of_next(of, [&](value, value u, value deep) {
            to_.assign(to_.at(of.shared, place(of, stage, deep, of.across)), to_.at(of.loaded, u));
        });
    }
}

void contraction_operands::read_lines(value stage, value deep) {
    for (const input& of : inputs_)
        if (of.is_line) read_one(of, stage, deep);
}

void contraction_operands::read(value stage, value deep) {
    for (const input& of : inputs_)
        if (of.deep && !of.is_line) read_one(of, stage, deep);
}

void contraction_operands::read_one(const input& of, value stage, value deep) {
    const int of_vector = of.is_line ? 1 : of.lanes;
    to_.unrolled("v", at_.values(of.of) / of_vector, [&](value v) {
        const value at = of.of == side::neither ? place(of, stage, deep, {})
                                                : place(of, stage, deep, at_.in_tile(of.of, v * of_vector));
        to_.assign(to_.at(of.own, v), of.lanes > 1 ? to_.at(of.shared, at, types::vector(operand_of(of).type, of.lanes))
                                                   : to_.at(of.shared, at));
    });
}

value contraction_operands::value_of(std::size_t i, value r, value c, value k) {
    const input& of = inputs_[i];
    if (of.one.is_there()) return of.one;
    if (of.of == side::neither) return to_.at(of.own, 0);
    if (of.is_line) return to_.lane(to_.at(of.own, r), k);
    const value v = of.of == side::rows ? r : c;
    return of.lanes > 1 ? to_.lane(to_.at(of.own, v / of.lanes), v % of.lanes) : to_.at(of.own, v);
}

}  // namespace kiln::plan
