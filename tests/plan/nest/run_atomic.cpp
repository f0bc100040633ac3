#include "cluster_run.hpp"

#include <algorithm>

namespace tests::runs {

void cluster_run::atomic(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const nest::memory& memory = tree_.memories[at(to.number)];
    mask here = now;
    if (of.what == statement::kind::atomic_of_wave) {
        each_warp(now, [](std::size_t) {});
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

}  // namespace tests::runs
