// kiln/device/cpu/thread_pool: splits a range over the CPU's cores, one contiguous range per thread.
// in: a count and a function of [begin, end)   out: the function has run on all of it   knows nothing of: kernels
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>

namespace kiln::backend {

/// A callable, borrowed for the length of a call.
template <class Signature>
class function_ref;

template <class Result, class... Args>
class function_ref<Result(Args...)> {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref>)
    function_ref(F&& callable)  // NOLINT: a lambda is passed where this is taken
        : object_(const_cast<void*>(static_cast<const void*>(&callable))),
          call_([](void* object, Args... args) -> Result {
              return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
          }) {}

    Result operator()(Args... args) const { return call_(object_, args...); }

private:
    void* object_;
    Result (*call_)(void*, Args...);
};

/// The threads that this process may use: its scheduling affinity.
int usable_thread_count();

class thread_pool {
public:
    using range_function = function_ref<void(std::int64_t begin, std::int64_t end)>;

    /// Most loops of launches come back sooner, and a virtual machine takes as long to wake a core that has halted. A longer one would take
    /// the core from somebody on a machine of two.
    static constexpr std::int64_t usual_spin_ns = 40'000;

    /// `thread_count` with the caller's own; nothing is started before the first range that is worth it. `spin_ns`: how long a thread
    /// looks out for the next range, and a caller for the last one's end, before it sleeps.
    explicit thread_pool(int thread_count, std::int64_t spin_ns = usual_spin_ns);
    ~thread_pool();
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    [[nodiscard]] int thread_count() const noexcept { return thread_count_; }

    /// Calls `body` on ranges that cover [0, count), each once, all but the last a multiple of `multiple` long (of
    /// elements, so that no two threads write one cache line, even of bytes); at most one range per thread, and always the same ranges for the same arguments: memory first touched by a thread stays near
    /// its core. `grain`: the least count that is worth a thread's waking. The caller's thread takes part. Safe to call
    /// from anywhere: beside another call, from within `body` and in a forked child it runs on the caller's thread
    /// alone. Throws what `body` threw first, after all ranges are done.
    void parallel_for(std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple = 64);
    /// The same, but a thread's range is several: who is done with its own takes those that others have not begun, so that a thread that
    /// the system has stopped holds up one of them, not half of the work.
    void parallel_for_pieces(std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple = 64);

    /// parallel_for_pieces() whose caller does something else first: workers have begun when it is there. One thread's; other calls of the
    /// pool run on their callers' threads meanwhile.
    class begun;

private:
    struct worker;
    struct workers;

    bool begin(std::int64_t count, std::int64_t grain, const range_function& body, std::int64_t multiple,
               int most_pieces);
    void finish();
    void run(std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple, int most_pieces);
    bool ensure_started();
    static void wake(worker& which) noexcept;
    static void keep_off_this_processor(worker& which) noexcept;
    static void use_all_processors(worker& own) noexcept;
    void work(int number) noexcept;
    void run_part(int part) noexcept;
    void run_pieces_of(int part) noexcept;
    std::atomic<std::int64_t>& next_piece_of(int part) noexcept;
    bool claim(int part) noexcept;
    void wait_for_others() noexcept;

    // One job at a time; written by the caller that holds busy_, read by workers that claimed a part of it.
    struct job {
        const range_function* body = nullptr;
        std::int64_t count = 0;
        std::int64_t part_length = 0;   // elements
        std::int64_t piece_length = 0;  // of parts
        int part_count = 0;
    };

    int thread_count_;
    const std::int64_t spin_ns_;
    std::atomic<bool> busy_{false};
    std::uint32_t started_in_ = 0;  // the fork generation that the workers belong to
    std::unique_ptr<workers> workers_;
    job job_;
    alignas(64) std::atomic<std::int64_t> next_piece_{0};  // of the caller's part
    alignas(64) std::atomic<std::uint32_t> remaining_{0};  // parts that workers took or may take
    std::atomic<bool> failed_{false};
    std::exception_ptr failure_;
};

class thread_pool::begun {
public:
    begun(thread_pool& of, std::int64_t count, std::int64_t grain, range_function body, std::int64_t multiple = 64);
    begun(const begun&) = delete;
    begun& operator=(const begun&) = delete;
    /// Finishes; what `body` throws is lost.
    ~begun();

    /// The calling thread takes part, until all of it is done. Throws what `body` threw first.
    void finish();

private:
    thread_pool& of_;
    const std::int64_t count_;
    const range_function body_;
    bool is_with_workers_ = false;
    bool is_done_ = false;
};

}  // namespace kiln::backend
