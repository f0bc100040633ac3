#include <values/random_reductions.hpp>

#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/positions.hpp>

#include <algorithm>
#include <ostream>

namespace tests {

namespace {

using values = std::vector<pair_of_values>;
using oracle::reduction;

kiln::shape shape_from(const std::vector<std::uint16_t>& raw) {
    // Short axes and long ones; together no more than programs may have.
    static constexpr std::int64_t longest[] = {5, 40, 300, most_elements};
    std::int64_t extents[most_axes] = {};
    std::int64_t left = most_elements;
    const int rank = std::clamp(static_cast<int>(raw.size()), 1, most_axes);
    for (int axis = 0; axis < rank; ++axis) {
        const std::int64_t choice =
            static_cast<std::size_t>(axis) < raw.size() ? raw[static_cast<std::size_t>(axis)] : 0;
        const std::int64_t extent = choice % 37 == 36 ? 0 : 1 + choice / 4 % longest[choice % 4];
        extents[axis] = std::min(extent, left);
        left /= std::max<std::int64_t>(1, extents[axis]);
    }
    return {extents, rank};
}

/// The axes that go, in the order in which they are listed, some counted from the end.
std::vector<int> axes_from(std::uint8_t raw, int rank) {
    std::vector<int> out;
    for (int axis = 0; axis < rank; ++axis)
        if (raw >> axis & 1) out.push_back(raw & 16 ? axis - rank : axis);
    if (raw & 32) std::reverse(out.begin(), out.end());
    if (raw & 64 && !out.empty()) out.front() += out.front() < 0 ? rank : -rank;
    return out;
}

kiln::axis_list list_of(const std::vector<int>& axes) {
    switch (axes.size()) {
        case 0: return kiln::axes();
        case 1: return kiln::axis(axes[0]);
        case 2: return kiln::axes(axes[0], axes[1]);
        case 3: return kiln::axes(axes[0], axes[1], axes[2]);
        default: return kiln::axes(axes[0], axes[1], axes[2], axes[3]);
    }
}

/// Of each value that is left when the axes go, in order, the numbers of its elements in order.
std::vector<std::vector<std::int64_t>> parts_of(const kiln::shape& of, const std::vector<bool>& goes) {
    std::vector<std::vector<std::int64_t>> out;
    std::int64_t count = 1;
    for (int axis = 0; axis < of.rank(); ++axis)
        if (!goes[static_cast<std::size_t>(axis)]) count *= of[axis];
    out.resize(static_cast<std::size_t>(count));
    std::int64_t element = 0;
    each_position(of, [&](const position& at) {
        std::int64_t value = 0;
        for (int axis = 0; axis < of.rank(); ++axis)
            if (!goes[static_cast<std::size_t>(axis)]) value = value * of[axis] + at[static_cast<std::size_t>(axis)];
        out[static_cast<std::size_t>(value)].push_back(element++);
        return 0;
    });
    return out;
}

reduction reduction_for(oracle::type of, std::uint8_t choice) {
    static constexpr reduction whole[] = {reduction::sum,  reduction::max,      reduction::argmax, reduction::mean,
                                          reduction::min,  reduction::argmin,   reduction::prod,   reduction::any,
                                          reduction::all,  reduction::count,    reduction::var,    reduction::stddev,
                                          reduction::norm, reduction::logsumexp};
    static constexpr reduction complex[] = {reduction::sum, reduction::mean,   reduction::prod,
                                            reduction::any, reduction::all,    reduction::count,
                                            reduction::var, reduction::stddev, reduction::norm};
    if (oracle::is_complex(of)) return complex[choice % std::size(complex)];
    return whole[choice % (std::size(whole) - !oracle::is_float(of))];
}

std::string text_of_axes(const std::vector<int>& axes) {
    std::string out;
    for (const int each : axes) out += (out.empty() ? "" : ", ") + std::to_string(each);
    return ", axes(" + out + ")";
}

/// What is reduced, its reduction, and the reduction's axes kept.
reduction_of make_reduction(const raw_reducing_step& from, const pair_of_values& operand, bool keep) {
    const int rank = operand.extents.rank();
    const bool all = from.axes == 0;
    const std::vector<int> axes = axes_from(from.axes, rank);
    std::vector<bool> goes(static_cast<std::size_t>(rank), all);
    for (const int each : axes) goes[static_cast<std::size_t>(each < 0 ? each + rank : each)] = true;
    std::int64_t extents[kiln::max_rank] = {};
    int left = 0;
    for (int axis = 0; axis < rank; ++axis) {
        if (!goes[static_cast<std::size_t>(axis)]) extents[left++] = operand.extents[axis];
        else if (keep) extents[left++] = 1;
    }
    reduction_of out{reduction_for(operand.oracle_side->of, from.what), false, operand, operand, {}};
    const bool users = from.what >= 128 && tests::device().compiles && !tests::cubins_wanted();
    out.result = {reduced(out.what, users, operand.kiln_side, all ? kiln::axis_list() : list_of(axes), keep), nullptr,
                  kiln::shape(extents, left),
                  std::string(users && out.what == reduction::sum ? "user's " : "") + oracle::name_of(out.what) + "(" +
                      operand.text + (all ? "" : text_of_axes(axes)) + (keep ? ", keep_dims)" : ")")};
    out.parts = parts_of(operand.extents, goes);
    if (out.what == reduction::sum && !users && all && !keep && from.keep % 4 == 2) {
        out.operand = apply_step({.code = 3}, {operand});  // the product that is summed up
        out.result.kiln_side = dot_with_itself(operand.kiln_side);
        out.result.text = "dot(" + operand.text + ", the same)";
    }
    return out;
}

reduction_of make_scan(const raw_reducing_step& from, const pair_of_values& operand) {
    const int axis = from.axes % operand.extents.rank();
    std::vector<bool> goes(static_cast<std::size_t>(operand.extents.rank()), false);
    goes[static_cast<std::size_t>(axis)] = true;
    reduction_of out{from.what % 2 ? reduction::prod : reduction::sum, true, operand, operand, {}};
    out.result = {cumulated(out.what, operand.kiln_side, axis), nullptr, operand.extents,
                  std::string("cum") + oracle::name_of(out.what) + "(" + operand.text + text_of_axes({axis}) + ")"};
    out.parts = parts_of(operand.extents, goes);
    return out;
}

/// Values, and which of them are reductions and nothing more: eval() takes those beside outputs of any shape.
struct values_so_far {
    values known;
    std::vector<bool> reduction_alone;
    std::size_t last_reduced = 0;
};

bool is_one_reduction(reduction what) {
    return what != reduction::var && what != reduction::stddev && what != reduction::norm &&
           what != reduction::logsumexp;
}

/// Adds the value of a reduction; false where it has none.
bool add_measured(values_so_far& so_far, reduction_of made, const measure_reduction& measure) {
    made.result.oracle_side = measure(made);
    if (!made.result.oracle_side) return false;
    so_far.known.push_back(std::move(made.result));
    so_far.reduction_alone.push_back(is_one_reduction(made.what));
    return true;
}

/// An operation of what was reduced last and its reduction, which are of one type or of two.
pair_of_values beside(const raw_step& from, const values& pair) {
    raw_step of = from;
    of.a = 2;                                                // the last but one
    of.b = 1;                                                // the last
    static constexpr std::uint8_t of_two_types[] = {27, 9};  // + and <
    of.code = pair[0].kiln_side.index() == pair[1].kiln_side.index() ? of.code % 8 : of_two_types[of.code % 2];
    return apply_step(of, pair);
}

void take_step(values_so_far& so_far, const raw_reducing_step& step, const measure_reduction& measure) {
    values& known = so_far.known;
    const pair_of_values operand = pick(known, step.step.a);
    switch (static_cast<step_form>(step.form % 4)) {
        case step_form::reduce:
            so_far.last_reduced = static_cast<std::size_t>(&pick(known, step.step.a) - known.data());
            add_measured(so_far, make_reduction(step, operand, step.keep % 2), measure);
            return;
        case step_form::beside: {
            const pair_of_values of = known[so_far.last_reduced];
            if (!add_measured(so_far, make_reduction(step, of, true), measure)) return;
            known.push_back(beside(step.step, {of, known.back()}));
            break;
        }
        case step_form::scan:
            if (operand.extents.rank() > 0) add_measured(so_far, make_scan(step, operand), measure);
            return;
        case step_form::element_wise: known.push_back(apply_step(step.step, known)); break;
    }
    so_far.reduction_alone.push_back(false);
}

}  // namespace

bool reduction_of::of_nothing() const {
    return oracle::needs_elements(what) && operand.extents.size() == 0 && !parts.empty();
}

values build(const raw_reductions& from, const measure_reduction& measure) {
    values_so_far so_far{build_values(from.operands, shape_from(from.extents)), {}, 0};
    so_far.reduction_alone.resize(so_far.known.size(), false);
    so_far.last_reduced = so_far.known.size() - 1;
    for (const raw_reducing_step& each : from.steps) take_step(so_far, each, measure);

    const values& known = so_far.known;
    const auto& alone = so_far.reduction_alone;
    values out{known.back()};
    kiln::shape met = alone.back() ? kiln::shape{} : known.back().extents;
    for (int i = 0; i < from.outputs % 3; ++i) {
        const std::size_t number = (known.size() - 1 + from.outputs / 3u + static_cast<std::size_t>(i)) % known.size();
        if (alone[number] || broadcast(met, known[number].extents, met)) out.push_back(known[number]);
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const raw_reductions& shown) {
    const values outputs = build(shown, [](const reduction_of& each) -> oracle::tree {
        if (each.of_nothing()) return nullptr;
        const auto zero =
            oracle::converted(oracle::make_whole(oracle::type::i32, 0),
                              each.cumulates ? oracle::accumulated(each.what, each.operand.oracle_side->of)
                                             : oracle::result_type(each.what, each.operand.oracle_side->of));
        return oracle::elements(zero.of,
                                std::vector<oracle::value>(static_cast<std::size_t>(each.result.extents.size()), zero));
    });
    for (std::size_t i = 0; i < outputs.size(); ++i)
        out << (i == 0 ? "" : "\n  and ") << to_string(outputs[i].extents) << ": " << outputs[i].text;
    return out;
}

}  // namespace tests
