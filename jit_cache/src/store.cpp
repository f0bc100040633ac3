// jit_cache/store: the memory table, who makes and who waits, and what a fork must not share.
// in: a key and how to make its artifact   out: the artifact and where it came from   knows nothing of: files
#include <jit_cache/store.hpp>

#include "disk.hpp"
#include "publisher.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jit_cache {

namespace {

// What one key has in memory: first a maker at work, then an artifact or the maker's exception.
struct slot {
    std::thread::id maker = std::this_thread::get_id();
    std::condition_variable changed;
    bool done = false;
    std::shared_ptr<const artifact> value;
    std::exception_ptr error;
    std::uint64_t last_use = 0;  // in questions asked of the table
};

struct key_view {
    hash128 name;
    std::string_view bytes;
};

struct table_key {
    hash128 name;
    std::string bytes;
    operator key_view() const { return {.name = name, .bytes = bytes}; }
};

struct table_hash {
    using is_transparent = void;
    std::size_t operator()(key_view wanted) const { return static_cast<std::size_t>(wanted.name.low); }
};

// The bytes decide: two keys of one hash are two keys.
struct table_equal {
    using is_transparent = void;
    bool operator()(key_view left, key_view right) const {
        return left.name == right.name && left.bytes == right.bytes;
    }
};

using table = std::unordered_map<table_key, std::shared_ptr<slot>, table_hash, table_equal>;

// Everything that a child of fork() must not take over: locks that another thread held, a thread that is not there,
// slots whose makers are not there. The child gets a new one and leaves the old one where it is.
struct process_state {
    process_state(const settings& configuration, publisher::runs how)
        : warn(configuration.warn),
          files(configuration, warn),
          out(how, [this](const publish_job& job) { files.publish(job.wanted, job.name, *job.value); }) {}

    const ::pid_t process = ::getpid();
    std::mutex mutex;  // guards slots, the members of each slot, and the two numbers
    table slots;
    std::uint64_t payload_bytes = 0;  // of slots that are done
    std::uint64_t questions = 0;
    warner warn;
    disk files;
    publisher out;  // last: its thread ends before what it uses
};

}  // namespace

struct store::state {
    explicit state(settings given)
        : configuration(std::move(given)),
          current(new process_state(configuration, publisher::runs::on_its_own_thread)) {}

    ~state() {
        process_state* last = current.load(std::memory_order_acquire);
        // In a child that never used the store, the parent's threads and locks cannot be ended, only left.
        if (last->process != ::getpid()) return;
        last->out.settle();
        last->files.write_statistics();
        delete last;
    }

    state(const state&) = delete;
    state& operator=(const state&) = delete;

    // This process's state. A process number rather than a fork handler: it also holds for a raw clone().
    process_state& here() {
        process_state* present = current.load(std::memory_order_acquire);
        if (present->process == ::getpid()) return *present;
        // A child starts no thread of its own: it may be about to exec, or to exit without ending one.
        auto fresh = std::make_unique<process_state>(configuration, publisher::runs::inline_in_push);
        if (current.compare_exchange_strong(present, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
        return *present;
    }

    [[nodiscard]] hash128 name_of(const key& wanted) const {
        return configuration.name != nullptr ? configuration.name(wanted) : wanted.name();
    }

    struct question {
        const key& wanted;
        hash128 name;
        const make_function& make;
        const accept_function& accept;
        std::string_view free_field;
    };
    /// `mine`: this process's, at the call; accept() and make() may fork.
    found obtain(process_state& mine, const question& asked, bool look_on_disk);

    const settings configuration;
    std::atomic<process_state*> current;
};

/// Forgets what was not used for the longest time, until the payloads are within three quarters of the bound: looking
/// through all of them is then rare. With the table's lock held.
void forget_some(process_state& of, std::uint64_t max_bytes) {
    if (of.payload_bytes <= max_bytes) return;
    std::vector<table::iterator> done;
    for (auto each = of.slots.begin(); each != of.slots.end(); ++each)
        if (each->second->done && each->second->value) done.push_back(each);
    std::sort(done.begin(), done.end(),
              [](auto left, auto right) { return left->second->last_use < right->second->last_use; });
    for (const table::iterator each : done) {
        if (of.payload_bytes <= max_bytes / 4 * 3) return;
        of.payload_bytes -= each->second->value->payload.size();
        of.slots.erase(each);
    }
}

// Disk, then make(). Runs without any lock held: make may take seconds, and may fork.
found store::state::obtain(process_state& mine, const question& asked, bool look_on_disk) {
    for (const std::string& trouble : configuration.troubles) mine.warn(trouble);
    found result;
    result.missed.why = miss_reason::rejected;
    if (look_on_disk) {
        looked_up stored = mine.files.find(asked.wanted, asked.name, disk::manner::use);
        result.missed = std::move(stored.missed);
        if (stored.value != nullptr) {
            if (!asked.accept || asked.accept(*stored.value, origin::disk)) {
                result.value = std::move(stored.value);
                result.from = origin::disk;
                return result;
            }
            here().files.say_rejected(stored);
            result.missed.why = miss_reason::rejected;
        }
    }
    if (!asked.free_field.empty()) {
        looked_up stored = here().files.find_relative(asked.wanted, asked.name, asked.free_field, disk::manner::use);
        if (stored.value != nullptr && (!asked.accept || asked.accept(*stored.value, origin::disk))) {
            result.value = std::move(stored.value);
            result.from = origin::disk;
            result.differences = std::move(stored.differences);
            return result;
        }
    }
    here().files.count_miss(result.missed.why);
    auto made = std::make_shared<const artifact>(asked.make(result.missed));
    if (asked.accept && !asked.accept(*made, origin::made)) {
        throw std::logic_error("jit_cache: the artifact that was just made is not accepted by its own maker");
    }
    result.value = std::move(made);
    result.from = origin::made;
    return result;
}

store::store(settings configuration) : state_(std::make_unique<state>(std::move(configuration))) {}

store::~store() = default;

found store::find_or_make(const key& wanted, const make_function& make, const accept_function& accept,
                          std::string_view free_field) {
    process_state& mine = state_->here();
    const hash128 name = state_->name_of(wanted);
    const auto making = std::make_shared<slot>();
    bool look_on_disk = true;

    std::unique_lock lock(mine.mutex);
    for (;;) {
        const auto place = mine.slots.find(key_view{.name = name, .bytes = wanted.bytes()});
        if (place == mine.slots.end()) {
            mine.slots.emplace(table_key{.name = name, .bytes = std::string(wanted.bytes())}, making);
            break;
        }
        const std::shared_ptr<slot> theirs = place->second;
        if (!theirs->done) {
            if (theirs->maker == std::this_thread::get_id()) {
                throw std::logic_error("jit_cache: make() asked for the artifact that it is making");
            }
            theirs->changed.wait(lock, [&] { return theirs->done; });
        }
        if (theirs->error) std::rethrow_exception(theirs->error);
        theirs->last_use = ++mine.questions;
        lock.unlock();
        if (!accept || accept(*theirs->value, origin::memory)) {
            found result;
            result.value = theirs->value;
            return result;
        }
        // accept() forked and this is the child: the lock and the table belong to the parent.
        if (&state_->here() != &mine) return find_or_make(wanted, make, accept, free_field);
        lock.lock();
        // The disk holds the same bytes that were just refused. The first to come back makes them again.
        look_on_disk = false;
        const auto again = mine.slots.find(key_view{.name = name, .bytes = wanted.bytes()});
        if (again != mine.slots.end() && again->second == theirs) {
            mine.payload_bytes -= theirs->value->payload.size();
            mine.slots.erase(again);
        }
    }
    lock.unlock();

    const auto finish = [&](std::shared_ptr<const artifact> value, std::exception_ptr error) {
        if (&state_->here() != &mine) return;  // a child that came out of make(): nobody waits for it here
        const std::lock_guard finishing(mine.mutex);
        making->value = std::move(value);
        making->error = std::move(error);
        making->done = true;
        if (making->error) {
            // The next call tries again.
            const auto place = mine.slots.find(key_view{.name = name, .bytes = wanted.bytes()});
            if (place != mine.slots.end() && place->second == making) mine.slots.erase(place);
        } else {
            making->last_use = ++mine.questions;
            mine.payload_bytes += making->value->payload.size();
            forget_some(mine, state_->configuration.max_memory_bytes);
        }
        making->changed.notify_all();
    };
    try {
        found result = state_->obtain(mine, {wanted, name, make, accept, free_field}, look_on_disk);
        finish(result.value, nullptr);
        return result;
    } catch (...) {
        finish(nullptr, std::current_exception());
        throw;
    }
}

void store::publish(const key& wanted, std::shared_ptr<const artifact> value) {
    process_state& mine = state_->here();
    if (value == nullptr || state_->configuration.directory.empty()) return;
    mine.out.push({.name = state_->name_of(wanted), .wanted = wanted, .value = std::move(value)});
}

void store::flush() { state_->here().out.flush(); }

void store::settle() {
    process_state& mine = state_->here();
    mine.out.settle();
    mine.files.write_statistics();
}

prediction store::peek(const key& wanted, std::string_view free_field) const {
    process_state& mine = state_->here();
    const hash128 name = state_->name_of(wanted);
    {
        const std::lock_guard lock(mine.mutex);
        // A slot still at work counts: a call now would wait for it and make nothing.
        if (mine.slots.contains(key_view{.name = name, .bytes = wanted.bytes()})) {
            prediction in_memory;
            in_memory.from = origin::memory;
            return in_memory;
        }
    }
    looked_up stored = mine.files.find(wanted, name, disk::manner::peek);
    if (stored.value == nullptr && !free_field.empty()) {
        looked_up relative = mine.files.find_relative(wanted, name, free_field, disk::manner::peek);
        if (relative.value != nullptr) stored = std::move(relative);
    }
    prediction result;
    result.from = stored.value != nullptr ? origin::disk : origin::made;
    result.missed = std::move(stored.missed);
    result.differences = std::move(stored.differences);
    return result;
}

std::filesystem::path store::file_of(const key& wanted) const {
    return state_->here().files.file_of(state_->name_of(wanted));
}

void store::forget_memory() {
    process_state& mine = state_->here();
    const std::lock_guard lock(mine.mutex);
    // A slot at work stays: forgetting it would let a second maker start beside it.
    std::erase_if(mine.slots, [](const auto& one) { return one.second->done; });
    mine.payload_bytes = 0;
}

}  // namespace jit_cache
