#include "cluster_run.hpp"

#include <limits>

namespace tests::runs {

void cluster_run::in_any_order(const statement& of, std::int64_t from, const mask& now) {
    const std::int64_t to = value(of.b, now)[0].one;
    for (std::int64_t turn = to - 1; turn >= from; --turn) {
        set_variable(of.variable, 0, {turn, {}});
        statements(of.inside, now);
    }
}

std::int64_t cluster_run::element(id memory, std::int64_t place) {
    const nest::memory& of = tree_.memories[at(memory)];
    const expression access = access_of(memory);
    if (of.where == nest::memory::place::pointer) return element(pointed_.at(memory), place);
    if (is_of_thread(of)) return own_at(access, 0, place).one;
    check_place(access, place, 1);
    return read_device(access, place, 0);
}

void cluster_run::set_element(const where& to, std::int64_t place, std::int64_t element) {
    own_at(access_of(to.memory), 0, to.first + place) = {element, {}};
}

void cluster_run::move(const statement& of, const mask& now) {
    const auto argument = [&](int number) { return value(tree_.arguments[at(of.first_argument + number)], now)[0]; };
    const auto number = [&](int which) { return argument(which).one; };
    const where to = place_of(argument(0));
    const auto rows = [&](std::int64_t count, std::int64_t extent, std::int64_t apart, std::int64_t stride) {
        const where from = place_of(argument(1));
        for (std::int64_t row = 0; row < count; ++row)
            for (std::int64_t i = 0; i < extent; ++i)
                set_element(to, row * extent + i, element(from, row * apart + i * stride));
    };
    using nest::movement;
    switch (of.how) {
        case movement::turn:
            for (std::int64_t p = 0; p < number(4); ++p)
                for (std::int64_t i = 0; i < number(3); ++i)
                    set_element(to, p * of.extent + i, element(place_of(argument(1)), p + i * number(2)));
            break;
        case movement::copy_rows: rows(number(2), number(3), number(4), 1); break;
        case movement::gather_rows: rows(number(2), number(3), number(4), number(5)); break;
        case movement::spread_rows: rows(number(2), number(3), number(4), 0); break;
        case movement::spread_block: rows(nest::block_rows, of.extent, 1, 0); break;
        case movement::repeat_rows:
            for (std::int64_t i = number(1); i < number(2); ++i) set_element(to, i, element(to, i % number(1)));
            break;
    }
}

void cluster_run::append_run(const statement& of, const mask& now) {
    lanes all = value(of.a, now);
    const where from = place_of(value(tree_.arguments[at(of.first_argument)], now)[0]);
    const std::int64_t first = value(tree_.arguments[at(of.first_argument + 1)], now)[0].one;
    const std::int64_t count = value(of.b, now)[0].one;
    const reduced_output& by = tree_.sets[at(tree_.at(of.a).is.set)].members.front().of;
    for (std::int64_t i = 0; i < count; ++i) {
        const known both = meaning_.combine(by, known_of(all[0], 0), {element(from, i), first + i});
        all[0].parts = {both.value, both.place};
    }
    write(of.a, now, std::move(all));
}

void cluster_run::reduce_rows(const statement& of, const mask& now) {
    const where to = place_of(value(of.a, now)[0]);
    const where from = place_of(value(tree_.arguments[at(of.first_argument)], now)[0]);
    const std::int64_t extent = value(tree_.arguments[at(of.first_argument + 1)], now)[0].one;
    const std::int64_t rows = value(of.b, now)[0].one;
    const reduced_output& by = tree_.sets[at(tree_.at(of.a).is.set)].members.front().of;
    for (std::int64_t row = 0; row < rows; ++row) {
        cell& all = own_at(access_of(to.memory), 0, to.first + row);
        all.parts = {meaning_.identity(by), std::numeric_limits<std::int64_t>::max()};
        for (std::int64_t i = 0; i < extent; ++i) {
            const known both = meaning_.combine(by, known_of(all, 0), {element(from, row * extent + i), i});
            all.parts = {both.value, both.place};
        }
    }
}

}  // namespace tests::runs
