// kiln/device/cpu/loaded_objects: a list of users under one lock, under which objects are opened and closed as well: the loader's
// own lock is then free whenever somebody forks.
#include <device/cpu/loaded_objects.hpp>

#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

constexpr std::size_t usual_mappings = 65'530;
constexpr std::size_t mappings_per_object = 5;

constinit std::mutex mutex;
const process::fork_participant held{process::fork_order::loaded_objects, [] { mutex.lock(); }, [] { mutex.unlock(); }};

constinit process::immortal<std::vector<object_user*>> users;  // guarded by the lock
constinit std::atomic<std::size_t> chosen_most{0};

std::size_t most_mappings() noexcept {
    char text[32] = {};
    const int file = ::open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file < 0) return usual_mappings;
    const ssize_t count = ::read(file, text, sizeof text - 1);
    ::close(file);
    const long long most = count > 0 ? std::atoll(text) : 0;
    return most > 0 ? static_cast<std::size_t>(most) : usual_mappings;
}

}  // namespace

std::size_t loaded_objects::most() noexcept {
    std::size_t most = chosen_most.load(std::memory_order_relaxed);
    if (most == 0) {
        // The other half is the program's own.
        most = std::max<std::size_t>(most_mappings() / 2 / mappings_per_object, 64);
        chosen_most.store(most, std::memory_order_relaxed);
    }
    return most;
}

void loaded_objects::set_most(std::size_t count) noexcept { chosen_most.store(count, std::memory_order_relaxed); }

std::size_t loaded_objects::count() noexcept {
    const std::lock_guard lock(mutex);
    return users().size();
}

void loaded_objects::remove(object_user& user) noexcept {
    std::vector<object_user*>& all = users();
    all.back()->index_ = user.index_;
    std::swap(all[user.index_], all.back());
    all.pop_back();
    user.index_ = object_user::none;
}

/// A sixteenth at a time: looking for the idlest is then rare.
void loaded_objects::make_room() noexcept {
    const std::size_t bound = most();
    if (users().size() < bound) return;
    // Uses are noted without the lock: an order of what changes meanwhile would be none.
    std::vector<std::pair<std::uint64_t, object_user*>> idlest;
    for (object_user* const each : users()) idlest.emplace_back(each->last_use_.load(std::memory_order_relaxed), each);
    std::sort(idlest.begin(), idlest.end());
    for (const auto& [last_use, each] : idlest) {
        if (users().size() <= bound - bound / 16) break;
        if (each->try_unload()) remove(*each);
    }
    process::warn(
        "over " + std::to_string(bound) +
        " kernels are loaded: those idle longest are unloaded, and loaded again when they are launched (a process has "
        "a bounded number of mappings, vm.max_map_count)");
}

shared_object::opening loaded_objects::open(const std::string& bytes, object_user& by) {
    const std::lock_guard lock(mutex);
    make_room();
    shared_object::opening opened = shared_object::open(bytes);
    if (!opened.object) return opened;
    object_user::openings_.fetch_add(1, std::memory_order_relaxed);
    by.note_use();
    by.index_ = users().size();
    users().push_back(&by);
    return opened;
}

void loaded_objects::close(std::unique_ptr<shared_object> object, object_user& by) noexcept {
    const std::lock_guard lock(mutex);
    if (by.index_ != object_user::none) remove(by);
    object.reset();
}

}  // namespace kiln::backend
