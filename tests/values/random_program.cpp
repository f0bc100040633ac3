#include <values/random_program.hpp>

#include <support/values.hpp>

#include <algorithm>
#include <ostream>

namespace tests {

namespace {

template <class T>
std::vector<T> elements_for(std::size_t count, std::uint64_t seed) {
    // Mostly ordinary values, every fifth a special one.
    std::vector<T> out = ordinary_values<T>(count, seed);
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = seed % 5; i < count; i += 5) out[i] = special[(i * 7 + seed) % special.size()];
    return out;
}

template <class T>
pair_of_values make_array(const raw_array& from, const kiln::shape& extents, std::size_t number) {
    const cut part = make_cut(extents, from.slices);
    const std::vector<T> whole = elements_for<T>(static_cast<std::size_t>(part.whole.size()), from.seed);
    const kiln::array<T> x = kiln::from_host<T>(whole, part.whole);
    std::vector<T> seen;
    for (const std::int64_t at : part.positions) seen.push_back(whole[static_cast<std::size_t>(at)]);
    const std::string text = std::string(oracle::name_of(oracle::type_for<T>)) + " x" + std::to_string(number);
    if (from.slices.empty()) return {kiln::expr<T>(x), oracle::elements(seen), text};
    return {kiln::expr<T>(sliced(x, part.slices)), oracle::elements(seen), text + "(sliced)"};
}

template <class T>
pair_of_values make_scalar(const raw_scalar& from, const kiln::shape& extents) {
    const std::vector<T> special = special_values<T>();
    const T value = special[from.value % special.size()];
    return {kiln::expr<T>(kiln::full<T>(extents, value)), oracle::scalar(oracle::from(value)),
            oracle::to_string(oracle::from(value))};
}

}  // namespace

cut make_cut(const kiln::shape& extents, const std::vector<raw_axis>& choices) {
    static constexpr std::int64_t steps[] = {1, 1, 2, -1, -3};
    cut out;
    std::int64_t whole[3] = {};
    std::vector<std::vector<std::int64_t>> on_axis;
    for (int axis = 0; axis < extents.rank(); ++axis) {
        const raw_axis choice = choices.empty() ? raw_axis{} : choices[static_cast<std::size_t>(axis) % choices.size()];
        const std::int64_t step = steps[choice.step % 5];
        const std::int64_t before = choices.empty() ? 0 : choice.begin % 3;
        const std::int64_t reach = (extents[axis] - 1) * (step < 0 ? -step : step);
        const std::int64_t first = step > 0 ? before : before + reach;
        whole[axis] = before + reach + 1 + (choices.empty() ? 0 : choice.begin % 2);
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

built_program build(const raw_program& from) {
    std::int64_t extents[3] = {1};
    const int rank = std::clamp(static_cast<int>(from.extents.size()), 1, 3);
    for (std::size_t axis = 0; axis < from.extents.size() && axis < 3; ++axis)
        extents[axis] = rank == 1 ? 1 + from.extents[axis] % 1100 : 1 + from.extents[axis] % 9;
    built_program out{kiln::shape(extents, rank), {kiln::expr<bool>(kiln::zeros<bool>({1})), nullptr, ""}};

    std::vector<pair_of_values> known;
    for (std::size_t i = 0; i < from.arrays.size(); ++i)
        known.push_back(
            for_type(from.arrays[i].type, [&]<class T>() { return make_array<T>(from.arrays[i], out.extents, i); }));
    if (known.empty()) known.push_back(make_array<float>({}, out.extents, 0));
    for (const raw_scalar& each : from.scalars)
        known.push_back(for_type(each.type, [&]<class T>() { return make_scalar<T>(each, out.extents); }));
    out.result = known.front();
    for (const raw_step& each : from.steps) {
        known.push_back(apply_step(each, known));
        out.result = known.back();
    }
    return out;
}

std::ostream& operator<<(std::ostream& out, const raw_program& shown) {
    out << "shape";
    for (const std::uint16_t extent : shown.extents) out << ' ' << extent;
    out << (shown.target.empty() ? ", into a new array: " : ", into a slice: ");
    return out << build(shown).result.text;
}

}  // namespace tests
