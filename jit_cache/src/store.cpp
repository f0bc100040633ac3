// jit_cache/store: the memory table, who makes and who waits, and what a fork must not share.
// in: a key and how to make its artifact   out: the artifact and where it came from   knows nothing of: files
#include <jit_cache/store.hpp>

#include "disk.hpp"
#include "publisher.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <utility>

namespace jit_cache {

namespace {

// What one key has in memory: first a maker at work, then an artifact or the maker's exception.
struct slot {
    std::thread::id maker = std::this_thread::get_id();
    std::condition_variable changed;
    bool done = false;
    std::shared_ptr<const artifact> value;
    std::exception_ptr error;
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
    std::mutex mutex;  // guards slots, and the members of each slot
    table slots;
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
        if (last->process == ::getpid()) delete last;
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
        return configuration.hash != nullptr ? configuration.hash(wanted) : wanted.hash();
    }

    found obtain(const key& wanted, hash128 name, const make_function& make, const accept_function& accept,
                 bool look_on_disk);

    const settings configuration;
    std::atomic<process_state*> current;
};

// Disk, then make(). Runs without any lock held: make may take seconds, and may fork.
found store::state::obtain(const key& wanted, hash128 name, const make_function& make, const accept_function& accept,
                           bool look_on_disk) {
    for (const std::string& trouble : configuration.troubles) here().warn(trouble);
    if (look_on_disk) {
        if (auto stored = here().files.find(wanted, name, disk::manner::use)) {
            if (!accept || accept(*stored, origin::disk)) return {.value = std::move(stored), .from = origin::disk};
            here().files.say_rejected(name);
        }
    }
    auto made = std::make_shared<const artifact>(make());
    if (accept && !accept(*made, origin::made)) {
        throw std::logic_error("jit_cache: the artifact that was just made is not accepted by its own maker");
    }
    return {.value = std::move(made), .from = origin::made};
}

store::store(settings configuration) : state_(std::make_unique<state>(std::move(configuration))) {}

store::~store() = default;

found store::find_or_make(const key& wanted, const make_function& make, const accept_function& accept) {
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
        lock.unlock();
        if (!accept || accept(*theirs->value, origin::memory)) return {.value = theirs->value, .from = origin::memory};
        // accept() forked and this is the child: the lock and the table belong to the parent.
        if (&state_->here() != &mine) return find_or_make(wanted, make, accept);
        lock.lock();
        // The disk holds the same bytes that were just refused. The first to come back makes them again.
        look_on_disk = false;
        const auto again = mine.slots.find(key_view{.name = name, .bytes = wanted.bytes()});
        if (again != mine.slots.end() && again->second == theirs) mine.slots.erase(again);
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
        }
        making->changed.notify_all();
    };
    try {
        found result = state_->obtain(wanted, name, make, accept, look_on_disk);
        finish(result.value, nullptr);
        return result;
    } catch (...) {
        finish(nullptr, std::current_exception());
        throw;
    }
}

void store::publish(const key& wanted, std::shared_ptr<const artifact> value) {
    process_state& mine = state_->here();
    if (value == nullptr || mine.files.is_off()) return;
    mine.out.push({.name = state_->name_of(wanted), .wanted = wanted, .value = std::move(value)});
}

void store::flush() { state_->here().out.flush(); }

origin store::peek(const key& wanted) const {
    process_state& mine = state_->here();
    const hash128 name = state_->name_of(wanted);
    {
        const std::lock_guard lock(mine.mutex);
        // A slot still at work counts: a call now would wait for it and make nothing.
        if (mine.slots.contains(key_view{.name = name, .bytes = wanted.bytes()})) return origin::memory;
    }
    return mine.files.find(wanted, name, disk::manner::peek) != nullptr ? origin::disk : origin::made;
}

std::filesystem::path store::file_of(const key& wanted) const {
    return state_->here().files.file_of(state_->name_of(wanted));
}

void store::forget_memory() {
    process_state& mine = state_->here();
    const std::lock_guard lock(mine.mutex);
    // A slot at work stays: forgetting it would let a second maker start beside it.
    std::erase_if(mine.slots, [](const auto& one) { return one.second->done; });
}

}  // namespace jit_cache
