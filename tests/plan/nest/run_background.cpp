#include "cluster_run.hpp"

namespace tests::runs {

void cluster_run::copy_async(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const int bytes = to.is.lanes * kiln::bytes_of(to.is.of);
    if (bytes != 4 && bytes != 8 && bytes != 16) fault("copies " + std::to_string(bytes) + " bytes at once");
    const lanes places = value(to.a, now);
    lanes from = of.c == nest::none ? value(of.b, now) : first_elements(of, now);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        check_shared_vector(to, places[i].one);
        if (from[i].parts.empty()) from[i].parts = {from[i].one};
        for (std::int64_t j = 0; j < to.is.lanes; ++j) {
            const shared_place place = shared_at(to, places[i].one + j, i, now);
            check_nobody_is_at(place, i);
            flights_[place] = {.thread = static_cast<std::int64_t>(i), .value = {part(from[i], j), {}}};
            underway_[i].groups.back().push_back(place);
        }
    }
}

/// Of a vector as many as are to be read, then zeros.
lanes cluster_run::first_elements(const statement& of, const mask& now) {
    const expression& from = tree_.at(of.b);
    const lanes begin = value(from.a, now);
    const lanes there = value(of.c, now);
    lanes out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        if (there[i].one < 1 || there[i].one > from.is.lanes)
            fault("copies " + std::to_string(there[i].one) + " elements of " + std::to_string(from.is.lanes));
        check_place(from, begin[i].one, 1);
        out[i].parts.assign(at(from.is.lanes), 0);
        for (std::int64_t j = 0; j < there[i].one; ++j) out[i].parts[at(j)] = read_device(from, begin[i].one + j, i);
    }
    return out;
}

void cluster_run::wait_copies(const statement& of, const mask& now) {
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        auto& groups = underway_[i].groups;
        const std::size_t closed = groups.size() - 1;
        const std::size_t there = closed - std::min(closed, at(of.extent));
        for (std::size_t group = 0; group < there; ++group)
            for (const shared_place& place : groups[group]) land(place, i);
        groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(there));
    }
}

void cluster_run::land(const shared_place& place, std::size_t thread) {
    const auto found = flights_.find(place);
    set_shared(place, thread, std::move(found->second.value));
    flights_.erase(found);
}

mbarrier& cluster_run::mbarrier_at(const shared_place& of, std::size_t thread) {
    shared_memory& memory = shared_[at(of.memory)];
    mbarrier& out = memory.barriers[of.at];
    if (!out.threads) fault(where_of(of) + " was never made");
    // What says that threads have begun tells of mbarriers, too, if of nothing else.
    if (out.begins == begins_ && unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true))
        fault("a race: " + where_of(of) + " may not be made yet");
    return out;
}

void cluster_run::end_phase(mbarrier& of) {
    if (of.missing || of.bytes) return;
    ++of.phases;
    of.missing = of.threads;
}

void cluster_run::init_mbarrier(const statement& of, const mask& now) {
    const lanes threads = value(of.b, now);
    each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
        store_shared(place, i, {0, {}});
        shared_[at(place.memory)].barriers[place.at] = {threads[i].one, begins_, threads[i].one};
    });
}

void cluster_run::arrive(const statement& of, const mask& now) {
    const lanes bytes = value(of.b, now);
    each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
        mbarrier& at = mbarrier_at(place, i);
        if (!at.missing) fault("one more thread arrives at " + where_of(place) + " than it is of");
        at.bytes += bytes[i].one;
        --at.missing;
        end_phase(at);
    });
}

void cluster_run::store_async(const statement& of, const mask& now) {
    const expression& to = tree_.at(of.a);
    const lanes places = value(to.a, now);
    const lanes values = value(of.b, now);
    each_mbarrier(of.c, now, [&](std::size_t i, const shared_place& counted_at) {
        mbarrier& at = mbarrier_at(counted_at, i);
        const shared_place place = shared_at(to, places[i].one, i, now);
        check_nobody_is_at(place, i);
        flights_[place] = {.counted_at = counted_at, .phase = at.phases, .value = values[i]};
        at.bytes -= kiln::bytes_of(to.is.of);
        end_phase(at);
    });
}

void cluster_run::wait_mbarrier(const statement& of, const mask& now) {
    const lanes parity = value(of.b, now);
    std::map<shared_place, std::vector<std::size_t>> waiting;
    each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
        if (mbarrier_at(place, i).phases % 2 == parity[i].one)
            fault("waits at " + where_of(place) + " for what does not come");
        waiting[place].push_back(i);
    });
    for (const auto& [place, threads] : waiting) {
        std::vector<shared_place> landed;
        for (const auto& [to, what] : flights_)
            if (what.thread < 0 && what.counted_at == place &&
                what.phase < shared_[at(place.memory)].barriers[place.at].phases)
                landed.push_back(to);
        for (const shared_place& each : landed) {
            land(each, threads.front());
            // All of the block have waited: to each of them it is there.
            const std::size_t block = block_of(threads.front());
            const auto live = of_block_ - static_cast<std::size_t>(std::count(ended_.begin() + offset(block),
                                                                              ended_.begin() + offset(block + 1), 1));
            if (threads.size() == live) shared_[at(each.memory)].stored_by[each.at] = -1;
        }
    }
}

}  // namespace tests::runs
