// kiln/device/cuda/cuda_streams: entering, leaving and ordering.
#include <device/cuda/cuda_streams.hpp>
#include <process/fork.hpp>
#include <process/thread_state.hpp>

#if KILN_HAS_CUDA

#include <kiln/error.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace kiln::backend {

namespace {

// What current() reads: no constructor, so the compiler puts no guard around the load.
struct position {
    std::uint64_t id;
    int number;
};
// Of each device in its place, by the id's last bits. More than a machine has GPUs: who finds another device's position
// in its place finds one that is gone (tests make many).
constexpr std::size_t place_count = 64;
constinit thread_local position here[place_count]{};

position& place_of(std::uint64_t id) noexcept { return here[id % place_count]; }

std::atomic<std::uint64_t> next_id{1};

}  // namespace

/// A thread that ends is on no stream any more. Its streams may be gone by then (main() destroys them and returns), so
/// nothing is recorded in them.
struct thread_exit {
    std::vector<std::weak_ptr<cuda_streams>> streams;  // that the thread was ever on

    static void let_go(const std::weak_ptr<cuda_streams>& of) noexcept {
        if (const std::shared_ptr<cuda_streams> alive = of.lock()) alive->forget_thread(alive->current());
    }
    void add(const std::shared_ptr<cuda_streams>& of) {
        const auto is_it = [&of](const std::weak_ptr<cuda_streams>& each) { return each.lock() == of; };
        if (std::any_of(streams.begin(), streams.end(), is_it)) return;
        streams.erase(std::remove_if(streams.begin(), streams.end(), [](const auto& each) { return each.expired(); }),
                      streams.end());
        streams.push_back(of);
    }
    ~thread_exit() {
        // A child of fork() has no GPU, and perhaps locks that nobody will ever let go of.
        if (process::fork_count() != forks) return;
        for (const std::weak_ptr<cuda_streams>& each : streams) let_go(each);
        std::fill(std::begin(here), std::end(here), position{});
    }

    const std::uint32_t forks = process::fork_count();
};

cuda_streams::cuda_streams(const driver& api) : api_(api), id_(next_id.fetch_add(1, std::memory_order_relaxed)) {}

// At process exit the driver may be gone already; it then says so, and there is nothing to give back.
cuda_streams::~cuda_streams() {
    for (const slot& each : slots_)
        if (each.left) api_.cuEventDestroy(each.left);
    if (crossing_) api_.cuEventDestroy(crossing_);
}

int cuda_streams::current() const noexcept {
    const position& mine = place_of(id_);
    return mine.id == id_ ? mine.number : 0;
}

bool cuda_streams::capturing(int number) const noexcept {
    if (number == 0) return false;
    if (number == current()) return is_captured(number);
    // Another thread's: it might leave the stream, and its owner destroy it, between question and use.
    const std::lock_guard lock(mutex_);
    return usable(number) && is_captured(number);
}

bool cuda_streams::is_captured(int number) const noexcept {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return api_.cuStreamIsCapturing(handle(number), &status) == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void cuda_streams::use(CUstream stream) {
    if (stream == CU_STREAM_PER_THREAD)
        throw device_error(
            "kiln: use_stream: the per-thread default stream is one handle for a different stream in each thread, "
            "which "
            "work cannot be put in order by; make a stream with cudaStreamCreate");
    if (stream == CU_STREAM_LEGACY) stream = nullptr;
    const int before = current();
    if (handle(before) == stream) return;

    const std::lock_guard lock(mutex_);
    // Enter first: should that throw, the thread stays where it was.
    const int number = stream ? number_for(stream) : 0;
    if (number) enter(number);
    process::thread_state<thread_exit, thread_exit>().add(shared_from_this());
    place_of(id_) = {id_, number};
    if (before) leave(before);
}

void cuda_streams::order_after(int stream, int earlier) {
    if (stream == earlier) return;
    const std::lock_guard lock(mutex_);
    slot& from = slots_[static_cast<std::size_t>(earlier)];
    if (usable(earlier)) {
        if (!crossing_)
            check(api_, api_.cuEventCreate(&crossing_, CU_EVENT_DISABLE_TIMING), "kiln: device: make an event");
        check(api_, api_.cuEventRecord(crossing_, handle(earlier)),
              "kiln: device: record an event to order two streams by");
        check(api_, api_.cuStreamWaitEvent(handle(stream), crossing_, CU_EVENT_WAIT_DEFAULT),
              "kiln: device: let a stream wait for another");
    } else if (from.before == past::parked) {
        check(api_, api_.cuStreamWaitEvent(handle(stream), from.left, CU_EVENT_WAIT_DEFAULT),
              "kiln: device: let a stream wait for one that was left");
    } else if (from.before == past::orphaned) {
        wait_for_everything("kiln: device: wait for a stream whose thread has ended");
    }
}

CUevent cuda_streams::event_of(slot& of) {
    if (!of.left) check(api_, api_.cuEventCreate(&of.left, CU_EVENT_DISABLE_TIMING), "kiln: device: make an event");
    return of.left;
}

int cuda_streams::number_for(CUstream stream) {
    int free = 0;
    int oldest = 0;
    for (int number = 1; number < stream_count; ++number) {
        const slot& each = slots_[static_cast<std::size_t>(number)];
        if (!each.taken) {
            if (!free) free = number;
        } else if (each.handle.load(std::memory_order_relaxed) == stream) {
            return number;
        } else if (!usable(number) &&
                   (!oldest || each.last_used < slots_[static_cast<std::size_t>(oldest)].last_used)) {
            oldest = number;
        }
    }
    if (!free && !oldest)
        throw device_error(
            "kiln: use_stream: 63 streams are in use by threads already, and kiln tells no more apart; "
            "let a thread leave its own with use_stream(nullptr)");
    if (!free) {
        // Arrays remember numbers. With all work done, what the number meant before and what it means now are in order.
        wait_for_everything("kiln: device: wait before a stream's number is used again");
        free = oldest;
    }
    slot& chosen = slots_[static_cast<std::size_t>(free)];
    chosen.handle.store(stream, std::memory_order_relaxed);
    chosen.taken = true;
    chosen.before = past::none;
    return free;
}

void cuda_streams::enter(int number) {
    slot& entered = slots_[static_cast<std::size_t>(number)];
    entered.last_used = ++uses_;
    if (entered.threads.load(std::memory_order_relaxed) == 0 && entered.before != past::none) {
        // The handle may be a new stream where a destroyed one was: what the old one held must still come first.
        const bool captured = is_captured(number);
        // A stream that is being captured existed before its capture began, and may wait for nothing from outside it.
        if (!captured && entered.before == past::orphaned)
            wait_for_everything("kiln: device: wait for a stream whose thread has ended");
        else if (!captured)
            check(api_,
                  api_.cuStreamWaitEvent(entered.handle.load(std::memory_order_relaxed), entered.left,
                                         CU_EVENT_WAIT_DEFAULT),
                  "kiln: device: let a stream wait for its past");
        entered.before = past::none;
    }
    entered.threads.fetch_add(1, std::memory_order_relaxed);
}

void cuda_streams::leave(int number) {
    slot& left = slots_[static_cast<std::size_t>(number)];
    if (left.threads.load(std::memory_order_relaxed) > 1) {
        left.threads.fetch_sub(1, std::memory_order_relaxed);
        return;
    }
    const bool captured = is_captured(number);
    left.threads.store(0, std::memory_order_relaxed);
    left.before = past::none;
    // An event recorded inside a capture belongs to the graph; and captured work has not run: none to wait for.
    if (captured) return;
    left.before = past::orphaned;  // should the event fail
    check(api_, api_.cuEventRecord(event_of(left), handle(number)),
          "kiln: device: leave a stream (it must live until another has taken its place)");
    left.before = past::parked;
}

void cuda_streams::forget_thread(int number) noexcept {
    if (number == 0) return;
    const std::lock_guard lock(mutex_);
    slot& left = slots_[static_cast<std::size_t>(number)];
    if (left.threads.fetch_sub(1, std::memory_order_relaxed) == 1) left.before = past::orphaned;
}

void cuda_streams::wait_for_everything(const char* doing) {
    check(api_, api_.cuCtxSynchronize(), doing);
    for (slot& each : slots_)
        if (each.threads.load(std::memory_order_relaxed) == 0) each.before = past::none;
}

}  // namespace kiln::backend

#endif
