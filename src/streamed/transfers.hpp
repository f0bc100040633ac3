// kiln/streamed/transfers: copies between host arrays and a device, beside the kernels of a stream: what goes in on a stream of its own, what
// comes out on another, by a thread that waits for it.
// in: nodes   out: nodes, memory that is written   knows nothing of: expressions, chunks
#pragma once

#include <capture/array_node.hpp>
#include <device/device.hpp>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;

/// A stream of a device's beside the thread's own; where a device has one alone, that one.
class side_stream {
public:
    explicit side_stream(backend::device& on);
    side_stream(const side_stream&) = delete;
    side_stream& operator=(const side_stream&) = delete;
    ~side_stream();

    /// The calling thread is on it while one lives.
    class here {
    public:
        explicit here(const side_stream& stream);
        here(const here&) = delete;
        here& operator=(const here&) = delete;
        ~here();

    private:
        const side_stream& stream_;
        void* before_ = nullptr;
    };

private:
    backend::device& on_;
    void* native_ = nullptr;
};

/// Into a device.
class uploads {
public:
    explicit uploads(backend::device& on) : on_(on), stream_(on) {}

    /// A part of a host array, without a map: what it has along axes of stride 0 once, the rest packed.
    handle<array_node> copy(const array_node& part);
    /// A host array that is seen through a map: all of its memory, which is copied once.
    handle<array_node> copy_storage(const array_node& part);

    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }

private:
    backend::device& on_;
    side_stream stream_;
    std::int64_t bytes_ = 0;
    std::vector<std::pair<handle<array_node>, handle<array_node>>> storages_;  // and their copies
};

/// How many bytes copy() would take on the device.
std::int64_t bytes_of_copy(const array_node& part);

/// Out of a device. One is under way while the next is computed; copy() waits for the one before.
class downloads {
public:
    explicit downloads(backend::device& on);
    downloads(const downloads&) = delete;
    downloads& operator=(const downloads&) = delete;
    ~downloads();

    /// Waits until none is under way: what it held is free. Throws what went wrong with it.
    void wait();
    /// The elements of `from`, contiguous, to where `to` has them.
    void copy(handle<array_node> from, handle<array_node> to);

    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }

private:
    void run();
    void copy_now(const array_node& from, const array_node& to);

    struct job {
        handle<array_node> from;
        handle<array_node> to;
    };

    backend::device& on_;
    side_stream stream_;
    std::int64_t bytes_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<job> next_;
    bool is_busy_ = false;
    bool ends_ = false;
    std::exception_ptr trouble_;
    std::thread thread_;
};

}  // namespace kiln::streamed
