#include "cluster_run.hpp"

namespace tests::runs {

bool cluster_run::is_of_thread(const nest::memory& of) {
    return of.where == nest::memory::place::own || of.where == nest::memory::place::scratch;
}

expression cluster_run::access_of(id memory) const {
    return {.what = nest::operation::access, .is = tree_.memories[at(memory)].is, .number = memory};
}

std::int64_t cluster_run::byte_of(const expression& of, std::int64_t element) const {
    const nest::memory& from = tree_.memories[at(of.number)];
    return (element + device_[at(of.number)]->misaligned) * kiln::bytes_of(from.is.of);
}

void cluster_run::check_place(const expression& of, std::int64_t place, std::size_t count) const {
    const device_memory* const memory = device_[at(of.number)];
    const std::string& name = tree_.memories[at(of.number)].name;
    if (!memory) fault(name + " is not there");
    const std::int64_t from_first = place + memory->origin;
    if (from_first < 0 || at(from_first) + count > memory->elements.size())
        fault(name + "[" + std::to_string(place) + "] is outside of " + std::to_string(memory->elements.size()));
    if (is_vector(of.is)) {
        const int bytes = std::min(of.is.lanes * kiln::bytes_of(of.is.of), 16);
        if (byte_of(of, place) % bytes) fault(name + "[" + std::to_string(place) + "] is no place for a vector");
    }
}

std::int64_t cluster_run::this_thread(std::size_t thread) const {
    return first_block_ * static_cast<std::int64_t>(of_block_) + static_cast<std::int64_t>(thread);
}

std::int64_t cluster_run::block_that_was(std::int64_t by) const {
    const auto threads = static_cast<std::int64_t>(of_block_);
    if (by >= 0) return by / threads;
    return by > of_warp ? -2 - by : (of_warp - by) * warp / threads;
}

bool cluster_run::is_of_block(std::int64_t by, std::size_t thread) const {
    return by > atomically && block_that_was(by) == first_block_ + static_cast<std::int64_t>(block_of(thread));
}

bool cluster_run::is_of_cluster(std::int64_t by) const {
    const std::int64_t block = by > atomically ? block_that_was(by) : -1;
    return block >= first_block_ && block < first_block_ + tree_.cluster;
}

bool cluster_run::is_of_wave(std::int64_t by, std::size_t thread) const {
    const std::int64_t wave = this_thread(thread) / warp;
    if (of_block_ % warp) return false;
    return by >= 0 ? by / warp == wave : by == of_warp - wave;
}

bool cluster_run::is_before(std::int64_t by, std::int64_t time, std::size_t thread) const {
    const std::int64_t now = time_of(thread);
    return time >> block_bits != now >> block_bits || (is_of_wave(by, thread) && time != now);
}

bool cluster_run::unordered(std::int64_t by, std::int64_t time, std::size_t thread, bool is_shared) const {
    if (by == -1 || by == this_thread(thread)) return false;
    if (by == atomically) return is_shared ? !is_before(by, time, thread) : !sees_all_blocks_;
    if (is_of_block(by, thread)) return !is_before(by, time, thread);
    if (is_shared || is_of_cluster(by)) return time >> cluster_bits == cluster_barriers_;
    return !sees_all_blocks_;
}

void cluster_run::note_reader(std::int64_t& by, std::int64_t& time, std::size_t thread, bool is_shared) const {
    const bool was_before = by == -1 ||
                            (is_shared || is_of_cluster(by) ? time >> cluster_bits != cluster_barriers_ : false) ||
                            (is_of_block(by, thread) && is_before(by, time, thread));
    if (was_before) by = this_thread(thread);
    else if (!is_of_block(by, thread)) by = many_blocks;
    else if (by != this_thread(thread))
        by = is_of_wave(by, thread) ? of_warp - this_thread(thread) / warp
                                    : -2 - (first_block_ + static_cast<std::int64_t>(block_of(thread)));
    time = time_of(thread);
}

lanes cluster_run::read(const expression& of, const mask& now) {
    const lanes places = value(of.a, now);
    const nest::memory& from = tree_.memories[at(of.number)];
    lanes out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        const std::int64_t place = places[i].one;
        if (is_of_thread(from)) {
            out[i] = own_at(of, i, place);
        } else if (from.where == nest::memory::place::pointer) {
            out[i].one = element(static_cast<id>(of.number), place);
        } else if (from.where == nest::memory::place::shared) {
            if (of.is == from.is) {
                out[i] = read_shared(shared_at(of, place, i, now), i);
                continue;
            }
            for (std::int64_t j = 0; j < of.is.lanes; ++j)
                out[i].parts.push_back(read_shared(shared_at(of, place + j, i, now), i).one);
            check_shared_vector(of, place);
        } else {
            check_place(of, place, of.is.lanes);
            if (of.is.what == kind::accumulators) {
                read_device(of, place, i);
                out[i].parts = device_[at(of.number)]->accumulators.at(at(place));
                continue;
            }
            for (std::int64_t j = 0; j < of.is.lanes; ++j) {
                const std::int64_t element = read_device(of, place + j, i);
                if (is_vector(of.is)) out[i].parts.push_back(element);
                else out[i].one = element;
            }
        }
    }
    return out;
}

std::int64_t cluster_run::read_device(const expression& of, std::int64_t of_pointer, std::size_t thread) {
    device_memory& memory = *device_[at(of.number)];
    const std::int64_t place = of_pointer + memory.origin;
    if (unordered(memory.stored_by[at(place)], memory.stored_at[at(place)], thread, false))
        fault("a race: " + tree_.memories[at(of.number)].name + "[" + std::to_string(place) +
              "] is read as it is stored");
    note_reader(memory.read_by[at(place)], memory.read_at[at(place)], thread, false);
    return memory.elements[at(place)];
}

void cluster_run::store_device(const expression& of, std::int64_t of_pointer, std::size_t thread,
                               std::int64_t element) {
    device_memory& memory = *device_[at(of.number)];
    const std::int64_t place = of_pointer + memory.origin;
    const std::string where = tree_.memories[at(of.number)].name + "[" + std::to_string(place) + "]";
    if (element == poison) fault(where + " gets what was never set");
    if (memory.stored_by[at(place)] >= 0) fault(where + " is stored twice");
    if (unordered(memory.read_by[at(place)], memory.read_at[at(place)], thread, false))
        fault("a race: " + where + " is stored as it is read");
    memory.stored_by[at(place)] = this_thread(thread);
    memory.stored_at[at(place)] = time_of(thread);
    memory.elements[at(place)] = element;
    last_store_[thread] = barriers_[block_of(thread)];
}

std::string cluster_run::where_of(const shared_place& of) const {
    const nest::memory& memory = tree_.memories[at(of.memory)];
    return memory.name + "[" + std::to_string(of.at % at(memory.elements)) + "]";
}

shared_place cluster_run::shared_at(const expression& of, std::int64_t place, std::size_t thread, const mask& now) {
    const nest::memory& memory = tree_.memories[at(of.number)];
    if (place < 0 || place >= memory.elements) fault(memory.name + "[" + std::to_string(place) + "] is outside of it");
    std::size_t block = block_of(thread);
    if (of.what == nest::operation::remote) {
        block = at(value(of.b, now)[thread].one);
        if (block >= barriers_.size()) fault("block " + std::to_string(block) + " is outside of the cluster");
        if (!cluster_barriers_ && !begins_)
            fault("block " + std::to_string(block) + " of the cluster may not have begun");
    }
    return {of.number, block * at(memory.elements) + at(place)};
}

void cluster_run::note_remote(const shared_place& of, std::size_t thread) {
    const std::size_t block = of.at / at(tree_.memories[at(of.memory)].elements);
    if (block != block_of(thread)) last_remote_[block] = cluster_barriers_;
}

void cluster_run::check_shared_vector(const expression& of, std::int64_t place) const {
    const int bytes = std::min(of.is.lanes * kiln::bytes_of(of.is.of), 16);
    const nest::memory& memory = tree_.memories[at(of.number)];
    const int aligned = memory.is_dynamic ? 16 : std::max(memory.aligned, kiln::bytes_of(memory.is.of));
    if (place * kiln::bytes_of(memory.is.of) % bytes || aligned < bytes)
        fault(memory.name + "[" + std::to_string(place) + "] is no place for a vector");
}

const cell& cluster_run::read_shared(const shared_place& of, std::size_t thread) {
    shared_memory& memory = shared_[at(of.memory)];
    if (flights_.contains(of)) fault("a race: " + where_of(of) + " is read while it is underway");
    if (unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true))
        fault("a race: " + where_of(of) + " is read as it is stored");
    note_reader(memory.read_by[of.at], memory.read_at[of.at], thread, true);
    note_remote(of, thread);
    return memory.cells[of.at];
}

void cluster_run::check_nobody_is_at(const shared_place& of, std::size_t thread) {
    const shared_memory& memory = shared_[at(of.memory)];
    if (flights_.contains(of) || unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true) ||
        unordered(memory.read_by[of.at], memory.read_at[of.at], thread, true))
        fault("a race: " + where_of(of) + " is stored while others are there");
}

void cluster_run::set_shared(const shared_place& of, std::size_t thread, cell to) {
    shared_memory& memory = shared_[at(of.memory)];
    memory.stored_by[of.at] = this_thread(thread);
    memory.stored_at[of.at] = time_of(thread);
    memory.cells[of.at] = std::move(to);
}

void cluster_run::store_shared(const shared_place& of, std::size_t thread, cell to) {
    check_nobody_is_at(of, thread);
    note_remote(of, thread);
    set_shared(of, thread, std::move(to));
}

cell& cluster_run::own_at(const expression& of, std::size_t thread, std::int64_t place) {
    std::vector<cell>& mine = own_[at(of.number)].at(thread);
    if (place < 0 || at(place) >= mine.size())
        fault(tree_.memories[at(of.number)].name + "[" + std::to_string(place) + "] is outside of it");
    return mine[at(place)];
}

void cluster_run::write(id which, const mask& now, lanes values) {
    const expression& to = tree_.at(which);
    using nest::operation;
    if (to.what == operation::variable) {
        if (!tree_.variables[at(to.number)].changes) fault("assigns to " + tree_.variables[at(to.number)].name);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) set_variable(static_cast<id>(to.number), i, std::move(values[i]));
        return;
    }
    if (to.what == operation::access || to.what == operation::remote) return store(to, now, values);
    if (to.what == operation::reinterpret) return write(to.a, now, std::move(values));
    lanes whole = value_before(to.a, now);
    const lanes number = to.what == operation::lane ? value(to.b, now) : lanes(threads_);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        std::vector<std::int64_t>& parts = whole[i].parts;
        const auto set = [&](std::size_t place, std::int64_t of) {
            if (parts.size() <= place) parts.resize(place + 1, poison);
            parts[place] = of;
        };
        switch (to.what) {
            case operation::lane: set(at(number[i].one), values[i].one); break;
            case operation::member: {
                const std::size_t place = 2 * member_of(to);
                set(place + 1, values[i].parts.size() > 1 ? values[i].parts[1] : poison);
                set(place, values[i].parts.empty() ? values[i].one : values[i].parts[0]);
                break;
            }
            case operation::value_of: set(0, values[i].one); break;
            case operation::place_of: set(1, values[i].one); break;
            default: fault("assigns to what is no place");
        }
    }
    write(to.a, now, std::move(whole));
}

lanes cluster_run::value_before(id which, const mask& now) {
    const expression& of = tree_.at(which);
    if (of.what != nest::operation::member) return value(which, now);
    const lanes whole = value_before(of.a, now);
    lanes out(threads_);
    const std::size_t place = 2 * member_of(of);
    for (std::size_t i = 0; i < threads_; ++i)
        if (now[i] && whole[i].parts.size() > place + 1)
            out[i].parts = {whole[i].parts[place], whole[i].parts[place + 1]};
    return out;
}

void cluster_run::store(const expression& to, const mask& now, lanes& values) {
    const nest::memory& memory = tree_.memories[at(to.number)];
    const lanes places = value(to.a, now);
    for (std::size_t i = 0; i < threads_; ++i) {
        if (!now[i]) continue;
        const std::int64_t place = places[i].one;
        if (is_of_thread(memory)) {
            own_at(to, i, place) = std::move(values[i]);
        } else if (memory.where == nest::memory::place::shared) {
            if (to.is == memory.is) {
                store_shared(shared_at(to, place, i, now), i, std::move(values[i]));
                continue;
            }
            check_shared_vector(to, place);
            for (std::int64_t j = 0; j < to.is.lanes; ++j)
                store_shared(shared_at(to, place + j, i, now), i, {part(values[i], j), {}});
        } else {
            if (!memory.is_written) fault("stores to " + memory.name);
            check_place(to, place, to.is.lanes);
            if (to.is.what == kind::accumulators) {
                device_[at(to.number)]->accumulators.resize(device_[at(to.number)]->elements.size());
                device_[at(to.number)]->accumulators[at(place)] = std::move(values[i].parts);
                store_device(to, place, i, 0);
                continue;
            }
            for (std::int64_t j = 0; j < to.is.lanes; ++j)
                store_device(to, place + j, i, is_vector(to.is) ? part(values[i], j) : values[i].one);
        }
    }
}

}  // namespace tests::runs
