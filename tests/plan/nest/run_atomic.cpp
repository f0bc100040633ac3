#include "cluster_run.hpp"

#include <algorithm>

namespace tests::runs {

void cluster_run::atomic(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const nest::memory& memory = tree_.memories[at(to.number)];
    mask here = now;
    if (of.what == statement::kind::atomic_of_wave) {
        each_warp(now, "an atomic statement", [](std::size_t) {});
        const lanes takes_part = value(of.c, now);
        for (std::size_t i = 0; i < threads_; ++i) here[i] = here[i] && takes_part[i].one;
    }
    const lanes places = value(to.a, here);
    const lanes values = value(of.b, here);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!here[i]) continue;
        const std::int64_t place = places[i].one;
        const auto combined = [&](std::int64_t old) {
            if (old == poison) fault(memory.name + "[" + std::to_string(place) + "] was never set");
            const std::int64_t with = values[i].one;
            return of.combining == nest::combining::sum     ? old + with
                   : of.combining == nest::combining::least ? std::min(old, with)
                                                            : std::max(old, with);
        };
        const auto take = [&](std::int64_t& by, std::int64_t& time, std::int64_t reader, std::int64_t read_at,
                              bool is_shared) {
            if ((by != atomically && unordered(by, time, i, is_shared)) || unordered(reader, read_at, i, is_shared))
                fault("a race: " + memory.name + "[" + std::to_string(place) + "] is combined while others are there");
            by = atomically;
            time = time_of(i);
        };
        if (memory.where == nest::memory::place::shared) {
            const shared_place shared = shared_at(to, place, i, here);
            shared_memory& in = shared_[at(shared.memory)];
            take(in.stored_by[shared.at], in.stored_at[shared.at], in.read_by[shared.at], in.read_at[shared.at], true);
            in.cells[shared.at].one = combined(in.cells[shared.at].one);
        } else {
            if (!memory.is_written) fault("stores to " + memory.name);
            check_place(to, place, 1);
            device_memory& in = *device_[at(to.number)];
            const std::size_t element = at(place + in.origin);
            take(in.stored_by[element], in.stored_at[element], in.read_by[element], in.read_at[element], false);
            in.elements[element] = combined(in.elements[element]);
            last_store_[i] = barriers_[block_of(i)];
        }
    }
}

lanes cluster_run::ticket(const expression& of, const mask& now) {
    if (std::count(now.begin(), now.end(), 1) != 1) fault("a block takes more than one number");
    const lanes place = value(of.a, now);
    lanes out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        check_place(of, place[i].one, 1);
        std::int64_t& counter = device_[at(of.number)]->elements[at(place[i].one)];
        if (counter == poison) counter = 0;  // published memory begins with nothing in it
        out[i].one = counter++;
    }
    return out;
}

void cluster_run::publish(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const lanes places = value(to.a, now);
    const lanes values = value(of.b, now);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        check_place(to, places[i].one, 1);
        store_device(to, places[i].one, i, values[i].one);
    }
}

void cluster_run::await(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const expression& from = tree_.at(of.b);
    const lanes first = value(to.a, now);
    const lanes places = value(from.a, now);
    const lanes apart = value(of.c, now);
    const lanes there = value(tree_.arguments[at(of.first_argument)], now);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        if (there[i].one > of.extent) fault("waits for more than it has room for");
        for (std::int64_t j = 0; j < there[i].one; ++j) {
            const std::int64_t place = places[i].one + j * apart[i].one;
            check_place(from, place, 1);
            const std::int64_t& element = device_[at(from.number)]->elements[at(place)];
            while (element == poison && call_.others_go_on) call_.others_go_on();
            if (element == poison)
                fault("waits for " + tree_.memories[at(from.number)].name + "[" + std::to_string(place) +
                      "], which no block before it publishes");
            own_at(to, i, first[i].one + j).one = element;
        }
    }
}

void cluster_run::look(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const expression& from = tree_.at(of.b);
    const lanes first = value(to.a, now);
    const lanes places = value(from.a, now);
    const lanes there = value(tree_.arguments[at(of.first_argument)], now);
    if (call_.others_go_on) call_.others_go_on();
    lanes found(threads_);
    for (std::size_t first_lane = 0; first_lane < threads_; first_lane += warp) {
        if (!now[first_lane]) continue;
        const std::size_t end = std::min(first_lane + warp, threads_);
        std::int64_t of_warp = 0;
        bool are_there = true;
        for (std::size_t i = first_lane; i < end; ++i) {
            if (!now[i]) fault("a warp looks while thread " + std::to_string(i) + " is elsewhere");
            if (there[i].one > of.extent) fault("looks for more than it has room for");
            for (std::int64_t j = 0; j < there[i].one; ++j) {
                check_place(from, places[i].one + j, 1);
                const std::int64_t element = device_[at(from.number)]->elements[at(places[i].one + j)];
                are_there = are_there && element != poison;
                of_warp += are_there;
                own_at(to, i, first[i].one + j).one = element == poison ? 0 : element;
            }
            if (are_there) of_warp += of.extent - there[i].one;
        }
        for (std::size_t i = first_lane; i < end; ++i) found[i].one = of_warp;
    }
    write(of.c, now, std::move(found));
}

}  // namespace tests::runs
