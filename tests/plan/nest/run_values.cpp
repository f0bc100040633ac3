#include "cluster_run.hpp"

namespace tests::runs {

/// A byte wraps around; no other conversion of a nest loses anything.
lanes cluster_run::converted(const expression& of, const mask& now) {
    lanes a = value(of.a, now);
    if (of.is.what != kind::element || kiln::bytes_of(of.is.of) != 1) return a;
    for (std::size_t i = 0; i < threads_; ++i)
        if (now[i])
            a[i].one = of.is.of == kiln::element_type::int8    ? static_cast<std::int8_t>(a[i].one)
                       : of.is.of == kiln::element_type::uint8 ? static_cast<std::uint8_t>(a[i].one)
                                                               : a[i].one != 0;
    return a;
}

lanes cluster_run::value(id which, const mask& now) {
    const expression& of = tree_.at(which);
    using nest::operation;
    switch (of.what) {
        case operation::constant: return constant(of.number);
        case operation::word: return constant(call_.words.at(at(of.number)));
        case operation::variable: return variables_[at(of.number)];
        case operation::add: return each_of_two(of, now, [](auto a, auto b) { return a + b; });
        case operation::subtract: return each_of_two(of, now, [](auto a, auto b) { return a - b; });
        case operation::multiply: return each_of_two(of, now, [](auto a, auto b) { return a * b; });
        case operation::divide:
            return each_of_two(of, now, [this](auto a, auto b) { return b ? a / b : (fault("a division by 0"), 0); });
        case operation::remainder:
            return each_of_two(of, now, [this](auto a, auto b) { return b ? a % b : (fault("a division by 0"), 0); });
        case operation::quotient: {
            lanes a = value(of.a, now);
            const std::int64_t by = call_.words.at(at(tree_.at(of.b).number));
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) a[i].one /= by;
            return a;
        }
        case operation::bit_and: return each_of_two(of, now, [](auto a, auto b) { return a & b; });
        case operation::bit_or: return each_of_two(of, now, [](auto a, auto b) { return a | b; });
        case operation::least: return each_of_two(of, now, [](auto a, auto b) { return std::min(a, b); });
        case operation::less: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a < b}; });
        case operation::less_equal: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a <= b}; });
        case operation::greater: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a > b}; });
        case operation::greater_equal: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a >= b}; });
        case operation::equal: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a == b}; });
        case operation::both: return branches(of.a, of.b, nest::none, now);
        case operation::either: return branches(of.a, nest::none, of.b, now);
        case operation::select: return branches(of.a, of.b, of.c, now);
        case operation::invert:
        case operation::negate: {
            lanes a = value(of.a, now);
            for (cell& each : a) each.one = of.what == operation::invert ? ~each.one : !each.one;
            return a;
        }
        case operation::convert: return converted(of, now);
        case operation::reinterpret: return value(of.a, now);
        case operation::wrap:
            return each_of_two(of, now, [](auto i, auto extent) { return i < extent ? i : i - extent; });
        case operation::clamp:
            return each_of_two(of, now, [](auto i, auto extent) { return std::clamp<std::int64_t>(i, 0, extent - 1); });
        case operation::mirror:
            return each_of_two(of, now, [](auto i, auto extent) {
                const auto from_first = i < 0 ? -i : i;
                return from_first < extent ? from_first : 2 * (extent - 1) - from_first;
            });
        case operation::outside:
            return each_of_two(of, now, [](auto i, auto extent) { return std::int64_t{i < 0 || i >= extent}; });
        case operation::wrap_run:
            return each_of_two(of, now, [](auto i, auto extent) { return i < extent ? extent - i : 2 * extent - i; });
        case operation::inside_run:
            return each_of_two(of, now, [](auto i, auto extent) { return i < 0 || i >= extent ? 0 : extent - i; });
        case operation::outside_run:
            return each_of_two(of, now, [](auto i, auto extent) {
                return i < 0 ? -i : i < extent ? extent - i : std::numeric_limits<std::int64_t>::max();
            });
        case operation::divide_run:
            return each_of_two(of, now, [](auto i, auto extent) { return extent - i % extent; });
        case operation::past_caches: return constant(call_.past_caches);
        case operation::place: {
            lanes a = value(of.a, now);
            const bool is_pointer = tree_.memories[at(of.number)].where == nest::memory::place::pointer;
            const where from = is_pointer ? pointed_.at(static_cast<id>(of.number)) : where{static_cast<id>(of.number)};
            for (cell& each : a) each = {from.first + each.one, {from.memory}};
            return a;
        }
        case operation::bit_xor: return each_of_two(of, now, [](auto a, auto b) { return a ^ b; });
        case operation::access:
        case operation::remote: return read(of, now);
        case operation::zeros: {
            if (!is_vector(of.is)) return lanes(threads_, cell{0, {}});
            return lanes(threads_, {0, std::vector<std::int64_t>(of.is.lanes, of.number ? 0 : poison)});
        }
        case operation::whole: {
            lanes out(threads_, cell{0, {}});
            if (tree_.memories[at(of.number)].where == nest::memory::place::own)
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i])
                        for (const cell& each : own_[at(of.number)].at(i)) out[i].parts.push_back(each.one);
            return out;
        }
        case operation::layout: return constant(0);
        case operation::is_null: return constant(device_[at(of.number)] == nullptr);
        case operation::aligned: {
            lanes a = value(of.a, now);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) a[i].one = byte_of(of, a[i].one) % tree_.at(of.b).number == 0;
            return a;
        }
        case operation::skew: {
            lanes a = value(of.a, now);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i])
                    a[i].one = byte_of(of, a[i].one) % tree_.at(of.b).number /
                               kiln::bytes_of(tree_.memories[at(of.number)].is.of);
            return a;
        }
        case operation::across: {
            // Of a vector that was never loaded lanes may be asked for, as long as nobody looks at them.
            const lanes a = value(of.a, now);
            const lanes b = value(of.b, now);
            const lanes from = value(of.c, now);
            lanes out(threads_);
            for (std::size_t i = 0; i < threads_; ++i) {
                if (!now[i]) continue;
                for (std::size_t lane = at(from[i].one); lane < at(from[i].one) + of.is.lanes; ++lane) {
                    const std::vector<std::int64_t>& parts = (lane < of.is.lanes ? a : b)[i].parts;
                    const std::size_t number = lane % of.is.lanes;
                    out[i].parts.push_back(number < parts.size() ? parts[number] : poison);
                }
            }
            return out;
        }
        case operation::lane: {
            lanes a = value(of.a, now);
            const lanes b = value(of.b, now);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) a[i] = {part(a[i], b[i].one), {}};
            return a;
        }
        case operation::identity: {
            cell out;
            for (const auto& each : tree_.sets[at(of.is.set)].members) {
                out.parts.push_back(meaning_.identity(each.of));
                out.parts.push_back(std::numeric_limits<std::int64_t>::max());
            }
            return lanes(threads_, out);
        }
        case operation::combine:
        case operation::append: return combine(of, now);
        case operation::member: {
            lanes a = value(of.a, now);
            const std::size_t number = member_of(of);
            for (std::size_t i = 0; i < threads_; ++i) {
                if (!now[i]) continue;
                const std::int64_t mine = part(a[i], static_cast<std::int64_t>(2 * number));
                a[i] = of.is.what == kind::found ? cell{poison, {mine, a[i].parts[2 * number + 1]}} : cell{mine, {}};
            }
            return a;
        }
        case operation::value_of:
        case operation::place_of: {
            lanes a = value(of.a, now);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) a[i] = {part(a[i], of.what == operation::place_of), {}};
            return a;
        }
        case operation::finish: {
            lanes a = value(of.a, now);
            const lanes count = value(of.b, now);
            for (std::size_t i = 0; i < threads_; ++i) {
                if (!now[i]) continue;
                const known mine = a[i].parts.empty() ? known{a[i].one} : known_of(a[i], 0);
                a[i] = {meaning_.finish(reduction_of(tree_.at(of.a)), mine, count[i].one), {}};
            }
            return a;
        }
        case operation::shuffle:
        case operation::shuffle_down: return exchange(of, now);
        case operation::count_block: return count_block(of, now);
        case operation::ticket: return ticket(of, now);
        case operation::piece: {
            const nest::piece& called = tree_.pieces[at(of.number)];
            std::vector<lanes> given;
            for (const id each : called.arguments) given.push_back(value(each, now));
            lanes out(threads_);
            for (std::size_t i = 0; i < threads_; ++i) {
                if (!now[i]) continue;
                std::vector<std::int64_t> arguments;
                for (const lanes& each : given) arguments.push_back(each[i].one);
                out[i].one = meaning_.piece(called.name, arguments);
            }
            return out;
        }
    }
    return {};
}

lanes cluster_run::branches(id a, id b, id c, const mask& now) {
    const lanes condition = value(a, now);
    mask yes(threads_);
    mask no(threads_);
    for (std::size_t i = 0; i < threads_; ++i)
        if (now[i]) (condition[i].one ? yes : no)[i] = 1;
    const lanes of_yes = b == nest::none ? condition : value(b, yes);
    lanes out = c == nest::none ? condition : value(c, no);
    for (std::size_t i = 0; i < threads_; ++i)
        if (yes[i]) out[i] = of_yes[i];
    return out;
}

std::size_t cluster_run::member_of(const expression& of) const {
    const auto& members = tree_.sets[at(of.is.set)].members;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (members[i].number == at(of.number)) return i;
    fault("a reduction that is of no set");
}

const reduced_output& cluster_run::reduction_of(const expression& of) const {
    return tree_.sets[at(of.is.set)].members[member_of(of)].of;
}

std::int64_t cluster_run::part(const cell& of, std::int64_t number) const {
    if (number < 0 || at(number) >= of.parts.size()) fault("a lane that was never set");
    return of.parts[at(number)];
}

known cluster_run::known_of(const cell& of, std::size_t member) const {
    const auto first = static_cast<std::int64_t>(2 * member);
    return {part(of, first), part(of, first + 1)};
}

lanes cluster_run::combine(const expression& of, const mask& now) {
    lanes a = value(of.a, now);
    const lanes b = value(of.b, now);
    const auto& members = tree_.sets[at(of.is.set)].members;
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        for (std::size_t j = 0; j < members.size(); ++j) {
            const known mine = known_of(a[i], j);
            const known other = known_of(b[i], j);
            if (mine.value == poison || other.value == poison) fault("combines what was never set");
            const known both = meaning_.combine(members[j].of, mine, other);
            a[i].parts[2 * j] = both.value;
            a[i].parts[2 * j + 1] = both.place;
        }
    }
    return a;
}

lanes cluster_run::exchange(const expression& of, const mask& now) {
    const lanes mine = value(of.a, now);
    const lanes which = value(of.b, now);
    lanes out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        const std::size_t first = i / warp * warp;
        for (std::size_t each = first; each < std::min(first + warp, threads_); ++each)
            if (!now[each]) fault("a warp exchanges while thread " + std::to_string(each) + " is elsewhere");
        const std::int64_t lane = of.what == nest::operation::shuffle
                                      ? which[i].one % warp
                                      : static_cast<std::int64_t>(i - first) + which[i].one;
        out[i] = lane < warp ? mine[first + at(lane)] : mine[i];
    }
    return out;
}

lanes cluster_run::count_block(const expression& of, const mask& now) {
    if (std::count(now.begin(), now.end(), 1) != 1) fault("a block counts itself more than once");
    const lanes place = value(of.a, now);
    const lanes count = value(of.b, now);
    lanes out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        for (std::size_t other = 0; other < threads_; ++other)
            if (other != i && last_store_[other] == barriers_[block_of(other)])
                fault("counts itself before what thread " + std::to_string(other) + " stores is there");
        std::int64_t& counter = device_[at(of.number)]->elements.at(at(place[i].one));
        out[i].one = ++counter == count[i].one;
        if (out[i].one) sees_all_blocks_ = true;
    }
    return out;
}

}  // namespace tests::runs
