// kiln/streamed/transfers: what chunks read comes in, and what they make goes out, beside the kernels of others: three chunks are under way at
// once, each with memory of its own on the device, which the one three later uses again.
// in: parts of host arrays, places of results   out: nodes of the device's   knows nothing of: expressions, how they are cut
#pragma once

#include <capture/array_node.hpp>
#include <device/copy_lanes.hpp>
#include <device/device.hpp>
#include <streamed/locked_memory.hpp>
#include <streamed/packed.hpp>
#include <streamed/rolled.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;

/// Of one evaluation, on the thread's stream. Each call throws device_error, out_of_memory.
class transfers {
public:
    static constexpr int most_under_way = 3;

    explicit transfers(backend::device& on);
    transfers(const transfers&) = delete;
    transfers& operator=(const transfers&) = delete;
    /// Nothing is under way any more; what was to go to ordinary memory may not have come there.
    ~transfers();

    /// So many chunks are to come, the first of which is no smaller than others.
    void expect(std::int64_t chunks) noexcept { expected_ = chunks; }
    /// Whether the device copies it while other work goes on.
    [[nodiscard]] bool goes_straight(const array_node& memory);
    /// All that chunks copy from now on goes_straight(), both ways, and each copies something in: then a chunk waits on the device for the one
    /// three before, whose memory it has, and the calling thread for none. Until the walk ends.
    void wait_on_device() noexcept { waits_on_device_ = true; }
    void end_walk() noexcept { waits_on_device_ = false; }
    /// The next one. Waits until the one three before has left.
    void begin_chunk();
    /// Of those under way, which: what was given for the chunk before that had the same is given again, where it is of the same shape.
    [[nodiscard]] std::size_t slot() const noexcept { return static_cast<std::size_t>(slot_); }
    /// A part of a host array, without a map: what it has along axes of stride 0 once, gaps left out, else as it lies. For this chunk.
    handle<array_node> copy_in(const array_node& part);
    /// Both blocks, one behind the other.
    handle<array_node> copy_in(const rolled_part& part);
    /// The same for as long as it is held, and of a host array that is seen through a map, all of its memory, which is copied once.
    handle<array_node> copy_for_all(const array_node& whole);
    handle<array_node> copy_storage(const array_node& part);
    /// Kernels that are launched from now on find what was copied in.
    void before_kernels();

    /// The elements of `from`, contiguous, which kernels that were launched have made, to where `to` has them. `from` is held until then.
    void copy_out(handle<array_node> from, handle<array_node> to);
    /// What the chunk so many ahead copies in, first to last; nullptr: that is not known. Valid until the next call.
    using operands_ahead = std::function<const std::vector<handle<array_node>>*(int ahead)>;
    /// All of the chunk's kernels are launched, and its results on their way. Threads bring ordinary memory of the chunk after the next near
    /// the device, and results that have left it to ordinary memory, while the next one is given to the device.
    void end_chunk(const operands_ahead& ahead);

    /// All results are where they belong.
    void wait();

private:
    /// Of the device, and of the host's where elements are not locked, or not together.
    struct place_of_chunk {
        handle<array_node> memory;
        handle<array_node> seen;  // part of it, as the chunk before saw it
        locked_memory passing;
        const std::byte* packed = nullptr;  // elements that `passing` has already
    };
    struct chunk_memory {
        std::vector<place_of_chunk> operands;
        std::vector<handle<array_node>> leaving;  // held until they have left
        std::vector<handle<array_node>> before;   // what left three chunks before: held until kernels wait for that
        std::size_t next_operand = 0;
        bool is_under_way = false;
        bool leaves = false;
    };
    /// In locked memory, on their way to where they belong.
    struct passing_result {
        int slot;
        locked_memory from;
        handle<array_node> to;
    };

    [[nodiscard]] chunk_memory& now() noexcept { return slots_[static_cast<std::size_t>(slot_)]; }
    void reserve(place_of_chunk& place, element_type type, const shape& extents);
    place_of_chunk& next_place(element_type type, const shape& extents);
    handle<array_node> seen_in(place_of_chunk& place, element_type type, const shape& extents);
    handle<array_node> new_memory(element_type type, const shape& extents);
    void send(std::byte* to, const array_node& from, locked_memory& passing, bool is_packed = false);
    void bring_near(int ahead, const std::vector<handle<array_node>>& operands, std::vector<byte_move>& moves);
    void take_passing(std::size_t most_left, std::vector<byte_move>& moves);
    void finish_moves();
    locked_memory locked(std::size_t bytes);
    void send_in_pieces(std::byte* to, const std::byte* from, std::size_t bytes);

    backend::device& on_;
    std::array<chunk_memory, most_under_way> slots_;
    std::int64_t expected_ = 1;
    bool is_first_ = true;
    bool waits_on_device_ = false;
    int slot_ = most_under_way - 1;
    std::array<locked_memory, 2> pieces_;
    int next_piece_ = 0;
    std::deque<passing_result> passing_;
    std::vector<passing_result> moved_;                                        // to where they belong, by threads
    std::vector<locked_memory> spare_;                                         // of results
    std::vector<std::pair<handle<array_node>, handle<array_node>>> storages_;  // and their copies
    std::vector<std::pair<const std::byte*, bool>> straight_;                  // memory that was asked about
    bool has_copied_ = false;                                                  // since kernels were told
    moves_beside beside_;
    std::unique_ptr<backend::copy_lanes> lanes_;  // the last: they go first, when nothing uses the memory any more
};

/// How many bytes copy_in() would take on the device.
std::int64_t bytes_of_copy(const array_node& part);

}  // namespace kiln::streamed
