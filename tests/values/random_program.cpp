#include <values/random_program.hpp>

#include <support/check.hpp>
#include <support/poison.hpp>
#include <support/positions.hpp>
#include <support/values.hpp>

#include <algorithm>
#include <ostream>

namespace tests {

namespace {

/// `count` small whole numbers, the same at every call, many of them equal: every order of a sum of thousands is exact.
template <class T>
std::vector<T> small_values(std::size_t count, std::uint64_t seed) {
    std::vector<T> out = ordinary_values<T>(count, seed);
    const std::vector<std::uint64_t> random = ordinary_values<std::uint64_t>(count, seed + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const int number =
            static_cast<int>(random[i] % 7) - (std::numeric_limits<T>::is_signed || is_complex<T> ? 3 : 0);
        if constexpr (is_complex<T>) {
            using R = typename T::value_type;
            out[i] = T(static_cast<R>(number), static_cast<R>(random[i] / 7 % 3));
        } else if constexpr (std::numeric_limits<T>::has_infinity) out[i] = T(static_cast<float>(number));
        else out[i] = static_cast<T>(number);
    }
    return out;
}

/// Ordinary values, of which every so many is a special one.
template <class T>
std::vector<T> with_special(std::size_t count, std::uint64_t seed, std::size_t every) {
    std::vector<T> out = ordinary_values<T>(count, seed);
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = seed % every; i < count; i += every) out[i] = special[(i * 7 + seed) % special.size()];
    return out;
}

template <class T>
std::vector<T> elements_for(std::size_t count, std::uint64_t seed, value_kind kind) {
    switch (kind) {
        case value_kind::small: return small_values<T>(count, seed);
        case value_kind::ordinary: return ordinary_values<T>(count, seed);
        case value_kind::few_special: return with_special<T>(count, seed, 101);
        default: return with_special<T>(count, seed, 5);
    }
}

/// Some axes of one element, some outer ones missing: what broadcasts to `whole`.
kiln::shape narrowed(const kiln::shape& whole, std::uint8_t choice) {
    std::int64_t extents[kiln::max_rank] = {};
    const int missing = choice / 8 % (whole.rank() + 1);
    for (int axis = missing; axis < whole.rank(); ++axis)
        extents[axis - missing] = choice >> axis & 1 ? 1 : whole[axis];
    return {extents, whole.rank() - missing};
}

template <class T>
pair_of_values make_array(const raw_array& from, const kiln::shape& whole_program, std::size_t number) {
    const kiln::shape extents = narrowed(whole_program, from.shape);
    const bool slices = !from.slices.empty() && extents.rank() > 0;
    const cut part = make_cut(extents, slices ? from.slices : std::vector<raw_axis>{});
    const auto kind = static_cast<value_kind>(from.values % 4);
    const std::vector<T> whole = elements_for<T>(static_cast<std::size_t>(part.whole.size()), from.seed, kind);
    const kiln::array<T> x = kiln::from_host<T>(whole, part.whole);
    std::vector<T> seen;
    for (const std::int64_t at : part.positions) seen.push_back(whole[static_cast<std::size_t>(at)]);
    static constexpr const char* kinds[] = {"", " of small numbers", " of ordinary numbers", " of few special ones"};
    const std::string text = std::string(oracle::name_of(oracle::type_for<T>)) + " x" + std::to_string(number) + " " +
                             to_string(extents) + kinds[from.values % 4];
    if (!slices) return {kiln::expr<T>(x), oracle::elements(seen), extents, text};
    return {kiln::expr<T>(sliced(x, part.slices)), oracle::elements(seen), extents, text + "(sliced)"};
}

template <class T>
pair_of_values make_scalar(const raw_scalar& from, const kiln::shape& extents) {
    const std::vector<T> special = special_values<T>();
    const T value = special[from.value % special.size()];
    return {kiln::expr<T>(kiln::full<T>(extents, value)),
            oracle::elements(std::vector<T>(static_cast<std::size_t>(extents.size()), value)), extents,
            oracle::to_string(oracle::from(value))};
}

pair_of_values as_mask(const pair_of_values& from) {
    const kiln::expr<bool> holds =
        std::visit([](const auto& x) { return kiln::expr<bool>(kiln::cast<bool>(x)); }, from.kiln_side);
    return {holds, oracle::cast(oracle::type::b8, from.oracle_side), from.extents, "bool(" + from.text + ")"};
}

array_handles evaluated(const std::vector<pair_of_values>& outputs, kiln::detail::purpose why) {
    std::vector<kiln::detail::handle<kiln::detail::term>> roots;
    for (const pair_of_values& each : outputs)
        roots.push_back(std::visit([](const auto& e) { return e.erase(); }, each.kiln_side));
    std::vector<kiln::detail::output> made(roots.size());
    kiln::detail::evaluate(roots.data(), made.data(), static_cast<int>(made.size()), nullptr, why);
    array_handles out;
    for (const kiln::detail::output& each : made) out.emplace_back(each.written);
    return out;
}

}  // namespace

cut make_cut(const kiln::shape& extents, const std::vector<raw_axis>& choices) {
    static constexpr std::int64_t steps[] = {1, 1, 2, -1, -3};
    cut out;
    std::int64_t whole[kiln::max_rank] = {};
    std::vector<std::vector<std::int64_t>> on_axis;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const raw_axis choice = choices.empty() ? raw_axis{} : choices[static_cast<std::size_t>(axis) % choices.size()];
        const std::int64_t step = steps[choice.step % 5];
        const std::int64_t before = choices.empty() ? 0 : choice.begin % 3;
        const std::int64_t reach = std::max<std::int64_t>(0, extents[axis] - 1) * (step < 0 ? -step : step);
        const std::int64_t first = step > 0 ? before : before + reach;
        whole[axis] = choices.empty() ? extents[axis] : before + reach + 1 + choice.begin % 2;
        on_axis.emplace_back();
        for (std::int64_t i = 0; i < extents[axis]; ++i) on_axis.back().push_back(first + i * step);
        const std::int64_t past = first + extents[axis] * step;
        out.slices.push_back({first, past < 0 ? kiln::range::open : past, step});
    }
    out.whole = kiln::shape(whole, extents.rank());
    out.positions = {0};
    for (int axis = 0; axis < extents.rank(); ++axis) {
        std::vector<std::int64_t> longer;
        for (const std::int64_t outer : out.positions)
            for (const std::int64_t inner : on_axis[static_cast<std::size_t>(axis)])
                longer.push_back(outer * whole[axis] + inner);
        out.positions = std::move(longer);
    }
    return out;
}

bool broadcast(const kiln::shape& left, const kiln::shape& right, kiln::shape& out) {
    const int rank = std::max(left.rank(), right.rank());
    if (rank > most_axes) return false;
    std::int64_t extents[kiln::max_rank] = {};
    std::int64_t size = 1;
    for (int axis = 0; axis < rank; ++axis) {
        const auto of = [&](const kiln::shape& each) {
            const int own = axis - (rank - each.rank());
            return own < 0 ? 1 : each[own];
        };
        const std::int64_t a = of(left);
        const std::int64_t b = of(right);
        if (a != b && a != 1 && b != 1) return false;
        extents[axis] = a == 1 ? b : a;
        size *= extents[axis];
    }
    if (size > most_elements) return false;
    out = kiln::shape(extents, rank);
    return true;
}

oracle::tree spread(const pair_of_values& from, const kiln::shape& to) {
    if (from.extents == to) return from.oracle_side;
    return oracle::gathered({from.oracle_side}, each_position(to, [&](const position& at) {
                                return oracle::source{0, element_at(from.extents, at, to.rank())};
                            }));
}

target_kind kind_of_target(const raw_target& from) { return static_cast<target_kind>(from.kind % 4); }

std::vector<pair_of_values> build_values(const raw_program& from, const kiln::shape& whole) {
    std::vector<pair_of_values> known;
    for (std::size_t i = 0; i < from.arrays.size(); ++i)
        known.push_back(
            for_type(from.arrays[i].type, [&]<class T>() { return make_array<T>(from.arrays[i], whole, i); }));
    if (known.empty()) known.push_back(make_array<float>({}, whole, 0));
    for (const raw_scalar& each : from.scalars)
        known.push_back(for_type(each.type, [&]<class T>() { return make_scalar<T>(each, whole); }));
    for (const raw_step& each : from.steps) known.push_back(apply_step(each, known));
    return known;
}

built_program build(const raw_program& from) {
    std::int64_t extents[3] = {1};
    const int rank = std::clamp(static_cast<int>(from.extents.size()), 1, 3);
    for (std::size_t axis = 0; axis < from.extents.size() && axis < 3; ++axis) {
        const std::uint16_t choice = from.extents[axis];
        extents[axis] = choice % 37 == 36 ? 0 : 1 + choice % (rank == 1 ? 1100 : 9);
    }
    const std::vector<pair_of_values> known = build_values(from, kiln::shape(extents, rank));
    const pair_of_values& result = from.steps.empty() ? known.front() : known.back();

    built_program out{{result}, as_mask(result)};
    kiln::shape all = result.extents;
    for (int i = 0; i < from.target.more % 3; ++i) {
        const pair_of_values& another = pick(known, static_cast<std::uint8_t>(from.target.choice + 5 * i));
        if (broadcast(all, another.extents, all)) out.outputs.push_back(another);
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        const pair_of_values& each = known[(from.target.choice + i) % known.size()];
        kiln::shape met;
        if (!broadcast(each.extents, result.extents, met) || !(met == result.extents)) continue;
        out.mask = as_mask(each);
        break;
    }
    return out;
}

array_handles eval_all(const std::vector<pair_of_values>& outputs) {
    for (const pair_of_values& each : outputs)
        std::visit([&]<class T>(const kiln::expr<T>&) { poison_free_memory<T>(each.extents, 0x54); }, each.kiln_side);
    return evaluated(outputs, kiln::detail::purpose::launch);
}

void prepare_all(const std::vector<pair_of_values>& outputs) {
    static_cast<void>(evaluated(outputs, kiln::detail::purpose::prepare));
}

std::string differences_of(const std::vector<pair_of_values>& outputs, const oracle::library& measured) {
    const array_handles fused = eval_all(outputs);
    const kiln::scoped_options off({.fuse = false});
    const array_handles unfused = eval_all(outputs);
    std::string trouble;
    const auto note = [&](std::size_t number, const char* how, const std::string& difference) {
        if (!difference.empty()) trouble += "output " + std::to_string(number) + how + difference + "\n";
    };
    for (std::size_t i = 0; i < fused.size(); ++i) {
        const pair_of_values& output = outputs[i];
        std::visit(
            [&]<class T>(const kiln::expr<T>&) {
                const auto together = kiln::detail::access::make<kiln::array<T>>(fused[i]);
                const auto apart = kiln::detail::access::make<kiln::array<T>>(unfused[i]);
                if (!(together.shape() == output.extents) || !(apart.shape() == output.extents)) {
                    note(i, " has the shape ", to_string(together.shape()));
                    return;
                }
                const std::vector<T> got = together.to_host();
                note(i, " unfused: ", difference(apart.to_host(), got));
                const auto count = static_cast<std::size_t>(output.extents.size());
                note(i, ": ", difference(got, typed<T>(oracle::evaluate(output.oracle_side, count, measured))));
            },
            output.kiln_side);
    }
    return trouble;
}

std::ostream& operator<<(std::ostream& out, const raw_program& shown) {
    static constexpr const char* kinds[] = {"a new array", "an array reused", "a slice", "a mask"};
    const built_program program = build(shown);
    const char* const kind = kinds[static_cast<int>(kind_of_target(shown.target))];
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
        out << (i == 0 ? "" : "\n  and ") << to_string(program.outputs[i].extents) << " into "
            << (program.outputs.size() == 1 ? kind : kinds[0]) << ": " << program.outputs[i].text;
    if (kind_of_target(shown.target) == target_kind::mask && program.outputs.size() == 1)
        out << "\n  where " << program.mask.text;
    return out;
}

}  // namespace tests
