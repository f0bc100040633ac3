// The views of random programs: kiln's by their functions, the oracle's by host arithmetic on positions.
#include <values/random_program.hpp>

#include <support/positions.hpp>

#include <algorithm>
#include <optional>

namespace tests {

namespace {

/// list<int> or list<std::int64_t> as what kiln's functions take.
template <class T, class Take>
auto with_list(const std::vector<T>& of, Take take) {
    switch (of.size()) {
        case 1: return take(std::initializer_list<T>{of[0]});
        case 2: return take(std::initializer_list<T>{of[0], of[1]});
        case 3: return take(std::initializer_list<T>{of[0], of[1], of[2]});
        default: return take(std::initializer_list<T>{of[0], of[1], of[2], of[3]});
    }
}

template <class Make>
any_expr each_type(const pair_of_values& a, Make make) {
    return std::visit([&]<class T>(const kiln::expr<T>& x) -> any_expr { return kiln::expr<T>(make(x)); }, a.kiln_side);
}

std::int64_t size_of(const std::vector<std::int64_t>& extents) {
    std::int64_t size = 1;
    for (const std::int64_t each : extents) size *= each;
    return size;
}

std::vector<std::int64_t> listed(const kiln::shape& of) { return {of.begin(), of.end()}; }
kiln::shape shaped(const std::vector<std::int64_t>& of) { return {of.data(), static_cast<int>(of.size())}; }

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }
/// By walking to and fro.
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
    while (n > 1 && (i < 0 || i >= n)) i = i < 0 ? -i : 2 * (n - 1) - i;
    return n == 1 ? 0 : i;
}

/// A view whose element at each position is `at(position)` of a.
template <class At>
pair_of_values moved(const pair_of_values& a, const kiln::shape& to, any_expr made, std::string text, At at) {
    return {std::move(made),
            oracle::gathered({a.oracle_side},
                             each_position(to,
                                           [&](const position& p) {
                                               return oracle::source{0, element_at(a.extents, at(p), a.extents.rank())};
                                           })),
            to, std::move(text), a.take_depth};
}

std::string call(const char* name, const pair_of_values& a, const std::string& rest) {
    return std::string(name) + "(" + a.text + rest + ")";
}

template <class T>
std::string list_text(const std::vector<T>& of) {
    std::string out = ", {";
    for (std::size_t i = 0; i < of.size(); ++i) out += (i ? ", " : "") + std::to_string(of[i]);
    return out + "}";
}

/// Per axis a range of some step, a position, or a new axis before it.
pair_of_values slice(const pair_of_values& a, std::uint8_t choice, std::uint8_t more) {
    struct axis_of_source {
        int to_axis = -1;
        std::int64_t first = 0, step = 0;
    };
    std::vector<kiln::index_item> items;
    std::vector<std::int64_t> to;
    std::vector<axis_of_source> from;
    std::string text = "[";
    int new_axes_left = most_axes - a.extents.rank();
    for (int axis = 0; axis < a.extents.rank(); ++axis) {
        const std::int64_t n = a.extents[axis];
        const int bits = choice >> (2 * axis) & 3;
        if (more >> axis & 1 && new_axes_left-- > 0) {
            items.emplace_back(kiln::newaxis);
            to.push_back(1);
            text += "new ";
        }
        if (bits == 3 && n > 0) {
            const std::int64_t at = (more >> 4) % n;
            items.emplace_back(more & 128 ? at - n : at);
            from.push_back({-1, at, 0});
            text += std::to_string(at) + " ";
            continue;
        }
        const int to_axis = static_cast<int>(to.size());
        if (bits == 1 || bits == 3) {
            const std::int64_t step = 1 + (more >> 5);
            const std::int64_t first = std::min<std::int64_t>(n, more >> 4 & 1);
            items.emplace_back(kiln::range(first, kiln::range::open, step));
            from.push_back({to_axis, first, step});
            to.push_back((n - first + step - 1) / step);
            text += std::to_string(first) + "::" + std::to_string(step) + " ";
        } else if (bits == 2) {
            const std::int64_t step = 1 + (more >> 6);
            items.emplace_back(kiln::range(kiln::range::open, kiln::range::open, -step));
            from.push_back({to_axis, n - 1, -step});
            to.push_back((n + step - 1) / step);
            text += "::-" + std::to_string(step) + " ";
        } else {
            items.emplace_back(kiln::all);
            from.push_back({to_axis, 0, 1});
            to.push_back(n);
            text += ": ";
        }
    }
    any_expr made = each_type(a, [&](const auto& x) {
        const auto& i = items;
        using E = std::remove_cvref_t<decltype(x)>;
        switch (i.size()) {
            case 0: return E(kiln::slice(x));
            case 1: return E(kiln::slice(x, i[0]));
            case 2: return E(kiln::slice(x, i[0], i[1]));
            case 3: return E(kiln::slice(x, i[0], i[1], i[2]));
            case 4: return E(kiln::slice(x, i[0], i[1], i[2], i[3]));
            case 5: return E(kiln::slice(x, i[0], i[1], i[2], i[3], i[4]));
            case 6: return E(kiln::slice(x, i[0], i[1], i[2], i[3], i[4], i[5]));
            default: return E(kiln::slice(x, i[0], i[1], i[2], i[3], i[4], i[5], i[6]));
        }
    });
    return moved(a, shaped(to), std::move(made), a.text + text + "]", [&](const position& p) {
        position out{};
        for (std::size_t axis = 0; axis < from.size(); ++axis)
            out[axis] =
                from[axis].first +
                (from[axis].to_axis < 0 ? 0 : from[axis].step * p[static_cast<std::size_t>(from[axis].to_axis)]);
        return out;
    });
}

pair_of_values permuted(const pair_of_values& a, const std::vector<int>& order, any_expr made, const char* name) {
    std::vector<std::int64_t> to;
    for (const int axis : order) to.push_back(a.extents[axis]);
    return moved(a, shaped(to), std::move(made), call(name, a, list_text(order)), [&](const position& p) {
        position out{};
        for (std::size_t axis = 0; axis < order.size(); ++axis) out[static_cast<std::size_t>(order[axis])] = p[axis];
        return out;
    });
}

pair_of_values transposed(const pair_of_values& a) {
    std::vector<int> order;
    for (int axis = a.extents.rank(); axis-- > 0;) order.push_back(axis);
    return permuted(a, order, each_type(a, [](const auto& x) { return kiln::transpose(x); }), "transpose");
}

pair_of_values permute(const pair_of_values& a, std::uint8_t choice) {
    std::vector<int> order;
    for (int axis = 0; axis < a.extents.rank(); ++axis) order.push_back(axis);
    for (int i = 0; i < choice % 24; ++i) std::next_permutation(order.begin(), order.end());
    return permuted(a, order,
                    each_type(a,
                              [&](const auto& x) {
                                  return with_list(
                                      order, [&](std::initializer_list<int> list) { return kiln::permute(x, list); });
                              }),
                    "permute");
}

pair_of_values reshaped(const pair_of_values& a, std::uint8_t choice) {
    std::vector<std::int64_t> to;
    std::int64_t rest = a.extents.size();
    for (int i = 0; i < choice % most_axes && rest > 0; ++i) {
        std::int64_t divisor = 1 + (choice >> (2 + i)) % 12;
        while (rest % divisor) --divisor;
        to.push_back(divisor);
        rest /= divisor;
    }
    to.push_back(rest);
    any_expr made = each_type(a, [&](const auto& x) {
        return with_list(to, [&](std::initializer_list<std::int64_t> list) { return kiln::reshape(x, list); });
    });
    std::vector<oracle::source> same;
    for (std::int64_t i = 0; i < a.extents.size(); ++i) same.push_back({0, i});
    return {std::move(made), oracle::gathered({a.oracle_side}, std::move(same)), shaped(to),
            call("reshape", a, list_text(to)), a.take_depth};
}

pair_of_values broadcast_to(const pair_of_values& a, std::uint8_t choice) {
    std::vector<std::int64_t> to = listed(a.extents);
    for (std::size_t axis = 0; axis < to.size(); ++axis)
        if (to[axis] == 1 && choice >> axis & 1) to[axis] = 1 + choice % 5;
    if (choice & 64 && to.size() < most_axes) to.insert(to.begin(), choice % 4);
    if (size_of(to) > most_elements) return a;
    return {each_type(a, [&](const auto& x) { return kiln::broadcast_to(x, shaped(to)); }), spread(a, shaped(to)),
            shaped(to), call("broadcast_to", a, list_text(to)), a.take_depth};
}

pair_of_values flipped(const pair_of_values& a, std::uint8_t choice) {
    const int only = choice % (a.extents.rank() + 1) - 1;  // -1: all
    any_expr made = each_type(a, [&](const auto& x) {
        using E = std::remove_cvref_t<decltype(x)>;
        return only < 0 ? E(kiln::flip(x)) : E(kiln::flip(x, kiln::axis(only)));
    });
    return moved(a, a.extents, std::move(made), call("flip", a, only < 0 ? "" : ", axis " + std::to_string(only)),
                 [&](const position& p) {
                     position out = p;
                     for (int axis = 0; axis < a.extents.rank(); ++axis)
                         if (only < 0 || axis == only) {
                             std::int64_t& at = out[static_cast<std::size_t>(axis)];
                             at = a.extents[axis] - 1 - at;
                         }
                     return out;
                 });
}

std::int64_t some_distance(std::uint8_t choice) { return choice % 23 - 11; }

pair_of_values rolled(const pair_of_values& a, std::uint8_t choice, std::uint8_t more) {
    const int axis = choice % a.extents.rank();
    const std::int64_t by = some_distance(more);
    return moved(a, a.extents, each_type(a, [&](const auto& x) { return kiln::roll(x, by, kiln::axis(axis)); }),
                 call("roll", a, ", " + std::to_string(by) + ", axis " + std::to_string(axis)), [&](const position& p) {
                     position out = p;
                     std::int64_t& at = out[static_cast<std::size_t>(axis)];
                     at = wrapped(at - by, a.extents[axis]);
                     return out;
                 });
}

pair_of_values rolled_flat(const pair_of_values& a, std::uint8_t more) {
    const std::int64_t by = some_distance(more);
    std::vector<oracle::source> from;
    for (std::int64_t i = 0; i < a.extents.size(); ++i) from.push_back({0, wrapped(i - by, a.extents.size())});
    return {each_type(a, [&](const auto& x) { return kiln::roll(x, by); }),
            oracle::gathered({a.oracle_side}, std::move(from)), a.extents, call("roll", a, ", " + std::to_string(by)),
            a.take_depth};
}

std::vector<std::int64_t> some_distances(const pair_of_values& a, std::uint8_t choice) {
    std::vector<std::int64_t> by;
    for (int axis = 0; axis < a.extents.rank(); ++axis) {
        // Some axes stay, most move a little.
        const int bits = choice >> (2 * axis) & 3;
        by.push_back(bits == 3 ? some_distance(choice) : bits - 1);
    }
    return by;
}

template <class Boundary, class At>
pair_of_values shifted(const pair_of_values& a, std::uint8_t choice, Boundary boundary, const char* name, At at) {
    const std::vector<std::int64_t> by = some_distances(a, choice);
    any_expr made = each_type(a, [&](const auto& x) {
        return with_list(by, [&](std::initializer_list<std::int64_t> list) { return kiln::shift(x, list, boundary); });
    });
    return moved(a, a.extents, std::move(made), call(name, a, list_text(by)), [&](const position& p) {
        position out = p;
        for (int axis = 0; axis < a.extents.rank(); ++axis) {
            std::int64_t& i = out[static_cast<std::size_t>(axis)];
            i = at(i - by[static_cast<std::size_t>(axis)], a.extents[axis]);
        }
        return out;
    });
}

/// Past the ends lies a value of the same type.
pair_of_values shifted_in(const pair_of_values& a, std::uint8_t choice, std::uint8_t more) {
    const std::vector<std::int64_t> by = some_distances(a, choice);
    return std::visit(
        [&]<class T>(const kiln::expr<T>& x) -> pair_of_values {
            const T outside = T(static_cast<float>(more % 3));
            kiln::expr<T> made = with_list(by, [&](std::initializer_list<std::int64_t> list) {
                return more % 3 == 0 ? kiln::expr<T>(kiln::shift(x, list))
                                     : kiln::expr<T>(kiln::shift(x, list, kiln::boundary::constant(outside)));
            });
            const auto from = each_position(a.extents, [&](const position& p) {
                position moved = p;
                for (int axis = 0; axis < a.extents.rank(); ++axis) {
                    std::int64_t& i = moved[static_cast<std::size_t>(axis)];
                    i -= by[static_cast<std::size_t>(axis)];
                    if (i < 0 || i >= a.extents[axis]) return oracle::source{1, 0};
                }
                return oracle::source{0, element_at(a.extents, moved, a.extents.rank())};
            });
            return {made, oracle::gathered({a.oracle_side, oracle::scalar(oracle::from(outside))}, from), a.extents,
                    call("shift_constant", a, list_text(by) + ", " + std::to_string(more % 3)), a.take_depth};
        },
        a.kiln_side);
}

pair_of_values diagonal(const pair_of_values& a, std::uint8_t choice, std::uint8_t more) {
    if (a.extents.rank() < 2) return a;
    const int first = choice % a.extents.rank();
    const int second = (first + 1 + choice / 8 % (a.extents.rank() - 1)) % a.extents.rank();
    const std::int64_t offset = more % 7 - 3;
    const std::int64_t down = std::max<std::int64_t>(0, -offset);
    const std::int64_t right = std::max<std::int64_t>(0, offset);
    std::vector<std::int64_t> to;
    std::vector<int> kept;
    for (int axis = 0; axis < a.extents.rank(); ++axis)
        if (axis != first && axis != second) {
            to.push_back(a.extents[axis]);
            kept.push_back(axis);
        }
    to.push_back(std::max<std::int64_t>(0, std::min(a.extents[first] - down, a.extents[second] - right)));
    any_expr made =
        each_type(a, [&](const auto& x) { return kiln::diagonal(x, offset, kiln::axis(first), kiln::axis(second)); });
    return moved(a, shaped(to), std::move(made),
                 call("diagonal", a, list_text(std::vector<std::int64_t>{offset, first, second})),
                 [&](const position& p) {
                     position out{};
                     for (std::size_t i = 0; i < kept.size(); ++i) out[static_cast<std::size_t>(kept[i])] = p[i];
                     out[static_cast<std::size_t>(first)] = p[kept.size()] + down;
                     out[static_cast<std::size_t>(second)] = p[kept.size()] + right;
                     return out;
                 });
}

/// By an array of positions, some from the end, some outside.
pair_of_values taken(const pair_of_values& a, std::uint8_t choice, std::uint8_t more, bool flat) {
    const bool is_flat = flat || a.extents.rank() == 0;
    const int axis = is_flat ? 0 : choice % a.extents.rank();
    const kiln::shape from = is_flat ? kiln::shape{a.extents.size()} : a.extents;
    const std::int64_t n = from[axis];
    std::vector<std::int64_t> extents = {1 + more % 7};
    if (more & 64 && from.rank() < most_axes) extents.push_back(1 + more % 3);
    if (more & 128) extents[0] = 0;
    if (n == 0 || a.take_depth == 4 || from.size() / n * size_of(extents) > most_elements) return a;
    std::vector<std::int32_t> index;
    for (std::int64_t i = 0; i < size_of(extents); ++i)
        index.push_back(static_cast<std::int32_t>((i * 7 + choice) % (2 * n + 4) - n - 2));
    const kiln::array<std::int32_t> where = kiln::from_host<std::int32_t>(index, shaped(extents));
    any_expr made = each_type(a, [&](const auto& x) {
        using E = std::remove_cvref_t<decltype(x)>;
        if (is_flat) return more & 32 ? E(kiln::take(x, where + 0)) : E(kiln::take(x, where));
        return E(kiln::take(x, where, kiln::axis(axis)));
    });

    std::vector<std::int64_t> to = listed(from);
    to.erase(to.begin() + axis);
    to.insert(to.begin() + axis, extents.begin(), extents.end());
    const int index_axes = static_cast<int>(extents.size());
    const auto sources = each_position(shaped(to), [&](const position& p) {
        position of_index{};
        position of_source{};
        for (int i = 0; i < index_axes; ++i)
            of_index[static_cast<std::size_t>(i)] = p[static_cast<std::size_t>(axis + i)];
        std::int64_t at = index[static_cast<std::size_t>(element_at(shaped(extents), of_index, index_axes))];
        if (at < 0) at += n;
        for (int i = 0; i < from.rank(); ++i)
            of_source[static_cast<std::size_t>(i)] = p[static_cast<std::size_t>(i < axis ? i : i + index_axes - 1)];
        of_source[static_cast<std::size_t>(axis)] = std::clamp<std::int64_t>(at, 0, n - 1);
        return oracle::source{0, element_at(from, of_source, from.rank())};
    });
    return {std::move(made), oracle::gathered({a.oracle_side}, sources), shaped(to),
            call("take", a, list_text(index) + (is_flat ? "" : ", axis " + std::to_string(axis))), a.take_depth + 1};
}

/// Along an axis that both have, or (stacked) a new one.
pair_of_values joined(const pair_of_values& a, const pair_of_values& b, std::uint8_t choice, bool stacked) {
    const int rank = a.extents.rank() + stacked;
    const int axis = stacked ? choice % rank : rank == 0 ? 0 : choice % rank;
    bool fits = rank > 0 && rank <= most_axes && b.extents.rank() == a.extents.rank();
    for (int i = 0; fits && i < a.extents.rank(); ++i) fits = (!stacked && i == axis) || a.extents[i] == b.extents[i];
    const pair_of_values& second = fits ? b : a;
    if (rank == 0 || rank > most_axes || a.extents.size() + second.extents.size() > most_elements) return a;

    any_expr made = each_type(a, [&](const auto& x) {
        using E = std::remove_cvref_t<decltype(x)>;
        const E& y = std::get<E>(second.kiln_side);
        if (stacked) return E(kiln::stack(kiln::axis(axis), x, y));
        return E(kiln::concatenate(kiln::axis(axis), x, y));
    });
    std::vector<std::int64_t> to = listed(a.extents);
    if (stacked) to.insert(to.begin() + axis, 2);
    else to[static_cast<std::size_t>(axis)] += second.extents[axis];
    const std::int64_t border = stacked ? 1 : a.extents[axis];
    const auto sources = each_position(shaped(to), [&](const position& p) {
        position of{};
        const std::int64_t along = p[static_cast<std::size_t>(axis)];
        for (int i = 0; i < a.extents.rank(); ++i)
            of[static_cast<std::size_t>(i)] = p[static_cast<std::size_t>(stacked && i >= axis ? i + 1 : i)];
        const bool in_second = along >= border;
        if (!stacked) of[static_cast<std::size_t>(axis)] = in_second ? along - border : along;
        return oracle::source{in_second, element_at((in_second ? second : a).extents, of, a.extents.rank())};
    });
    return {std::move(made), oracle::gathered({a.oracle_side, second.oracle_side}, sources), shaped(to),
            call(stacked ? "stack" : "concatenate", a, ", " + second.text + ", axis " + std::to_string(axis)),
            std::max(a.take_depth, second.take_depth)};
}

/// Plus the position along an axis. A slice of everything ties index() to the axes that it has met.
pair_of_values indexed(const pair_of_values& a, std::uint8_t choice) {
    const int axis = choice % a.extents.rank();
    const int given = choice & 64 ? axis - a.extents.rank() : axis;
    any_expr made = std::visit(
        [&]<class E>(const E& x) -> any_expr {
            const auto sum = kiln::slice(x + kiln::index(given));
            return kiln::expr<kiln::value_t<decltype(sum)>>(sum);
        },
        a.kiln_side);
    const oracle::tree at = oracle::elements(
        each_position(a.extents, [&](const position& p) { return p[static_cast<std::size_t>(axis)]; }));
    return {std::move(made), oracle::operation(oracle::op::add, {a.oracle_side, at}), a.extents,
            "(" + a.text + " + index(" + std::to_string(given) + "))", a.take_depth};
}

}  // namespace

pair_of_values apply_view(const raw_step& step, const pair_of_values& a, const pair_of_values& b) {
    const bool none = a.extents.rank() == 0;
    switch (step.code % 64) {
        case 44:
        case 45:
        case 46: return slice(a, step.b, step.c);
        case 47: return none ? a : transposed(a);
        case 48: return none ? a : permute(a, step.b);
        case 49: return reshaped(a, step.b);
        case 50: return broadcast_to(a, step.b);
        case 51: return flipped(a, step.b);
        case 52: return none ? a : rolled(a, step.b, step.c);
        case 53: return none ? a : rolled_flat(a, step.c);
        case 54:
            return none ? a : shifted(a, step.b, kiln::boundary::clamp, "shift_clamp", [](auto i, auto n) {
                return std::clamp<std::int64_t>(i, 0, n - 1);
            });
        case 55: return none ? a : shifted(a, step.b, kiln::boundary::wrap, "shift_wrap", wrapped);
        case 56: return none ? a : shifted(a, step.b, kiln::boundary::mirror, "shift_mirror", mirrored);
        case 57: return none ? a : shifted_in(a, step.b, step.c);
        case 58: return diagonal(a, step.b, step.c);
        case 59: return taken(a, step.b, step.c, false);
        case 60: return taken(a, step.b, step.c, true);
        case 61: return joined(a, b, step.b, false);
        case 62: return joined(a, b, step.b, true);
        default: return none ? a : indexed(a, step.b);
    }
}

}  // namespace tests
