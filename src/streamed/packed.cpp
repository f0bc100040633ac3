#include <streamed/packed.hpp>

#include <capture/viewed.hpp>
#include <device/cpu/streaming_store.hpp>
#include <record/profile.hpp>
#include <streamed/host_threads.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace kiln::streamed {

namespace {

using kiln::detail::array_node;

/// Calls move(at, offset, bytes) for each run of neighbouring elements: where it is in memory, and in the packed bytes.
template <class Move>
void each_run(const array_node& of, Move move) {
    const shape& extents = of.extents;
    const std::int64_t element = bytes_of(of.type);
    if (extents.size() == 0) return;
    int outer = extents.rank();  // axes before it are walked, those from it on are one run
    std::int64_t run = 1;
    while (outer > 0 && (extents[outer - 1] == 1 || of.strides[outer - 1] == run)) run *= extents[--outer];
    std::int64_t at[max_rank] = {};
    std::byte* place = of.data;
    for (std::int64_t done = 0;; done += run * element) {
        move(place, done, static_cast<std::size_t>(run * element));
        int axis = outer;
        while (axis-- > 0) {
            place += of.strides[axis] * element;
            if (++at[axis] < extents[axis]) break;
            place -= extents[axis] * of.strides[axis] * element;
            at[axis] = 0;
        }
        if (axis < 0) return;
    }
}

std::size_t bytes_of_all(const array_node& of) {
    return static_cast<std::size_t>(of.extents.size()) * static_cast<std::size_t>(bytes_of(of.type));
}

constexpr std::int64_t worth_a_thread = std::int64_t{256} << 10;  // bytes: about 25 us

/// The same by several threads, each for some positions of the first axis.
template <class Move>
void each_run_beside(const array_node& of, Move move) {
    const std::int64_t element = bytes_of(of.type);
    const std::int64_t bytes = of.extents.size() * element;
    int axis = 0;
    while (axis < of.extents.rank() && of.extents[axis] == 1) ++axis;
    if (bytes <= worth_a_thread || axis == of.extents.rank()) return each_run(of, move);
    const std::int64_t of_position = bytes / of.extents[axis];
    const std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread / of_position);
    const auto some = [&](std::int64_t begin, std::int64_t end) {
        array_node part;
        part.type = of.type;
        std::int64_t extents[max_rank];
        std::copy(of.extents.begin(), of.extents.end(), extents);
        extents[axis] = end - begin;
        part.extents = shape(extents, of.extents.rank());
        std::copy(of.strides, of.strides + of.extents.rank(), part.strides);
        part.data = of.data + begin * of.strides[axis] * element;
        each_run(part, [&](std::byte* place, std::int64_t at, std::size_t run) {
            move(place, begin * of_position + at, run);
        });
    };
    host_threads().parallel_for_pieces(of.extents[axis], grain, some, /*multiple=*/1);
}

/// A core that stores to memory reads it first, for nothing: of a copy a third of the traffic.
void copy_past_caches(std::byte* to, const std::byte* from, std::int64_t bytes) {
    static const backend::store_function store = backend::streaming_store();
    constexpr std::uintptr_t line = 64;
    const auto place = reinterpret_cast<std::uintptr_t>(to);
    const std::int64_t before =
        store ? std::min(bytes, static_cast<std::int64_t>((line - place % line) % line)) : bytes;
    std::memcpy(to, from, static_cast<std::size_t>(before));
    if (before == bytes) return;
    store(to + before, from + before, bytes - before);
    backend::finish_streaming();
}

std::int64_t bytes_of_moves(std::span<const byte_move> moves) {
    std::int64_t all = 0;
    for (const byte_move& each : moves) all += static_cast<std::int64_t>(each.bytes);
    return all;
}

/// [begin, end) of all bytes, one move's after another's.
void move_some(std::span<const byte_move> moves, std::int64_t begin, std::int64_t end) {
    for (const byte_move& each : moves) {
        const auto bytes = static_cast<std::int64_t>(each.bytes);
        const std::int64_t from = std::max<std::int64_t>(begin, 0);
        const std::int64_t to = std::min(end, bytes);
        if (from < to && each.is_of_much) copy_past_caches(each.to + from, each.from + from, to - from);
        else if (from < to) std::memcpy(each.to + from, each.from + from, static_cast<std::size_t>(to - from));
        begin -= bytes;
        end -= bytes;
    }
}

/// Profiles are told of `move`, which the calling thread does, or waits for.
template <class Move>
void observed(std::int64_t bytes, Move move) {
    if (!record::is_profiling() || bytes == 0) return move();
    record::timed_event seen(profiled::copy, "host to host");
    move();
    seen->bytes_read = seen->bytes_written = bytes;
    seen.finish();
}

}  // namespace

bool is_much(std::size_t bytes) {
    static const auto least = static_cast<std::size_t>(backend::streaming_threshold(host_threads().thread_count()));
    return bytes >= least;
}

void move_bytes(std::span<const byte_move> moves) {
    const std::int64_t all = bytes_of_moves(moves);
    observed(all, [&] {
        host_threads().parallel_for_pieces(
            all, worth_a_thread, [moves](std::int64_t begin, std::int64_t end) { move_some(moves, begin, end); });
    });
}

void moves_beside::begin(std::vector<byte_move> moves) {
    finish();
    moves_ = std::move(moves);
    if (moves_.empty()) return;
    if (!some_) some_ = [this](std::int64_t begin, std::int64_t end) { move_some(moves_, begin, end); };
    threads_.emplace(host_threads(), bytes_of_moves(moves_), worth_a_thread, some_);
}

void moves_beside::finish() {
    if (threads_) observed(bytes_of_moves(moves_), [this] { threads_.reset(); });
}

void pack(const array_node& from, std::byte* to) {
    if (kiln::detail::is_row_major(from)) return move_bytes(std::array{byte_move{from.data, to, bytes_of_all(from)}});
    observed(static_cast<std::int64_t>(bytes_of_all(from)), [&] {
        each_run_beside(from, [to](const std::byte* place, std::int64_t at, std::size_t bytes) {
            std::memcpy(to + at, place, bytes);
        });
    });
}

void unpack(const std::byte* from, const array_node& to) {
    if (kiln::detail::is_row_major(to)) return move_bytes(std::array{byte_move{from, to.data, bytes_of_all(to)}});
    observed(static_cast<std::int64_t>(bytes_of_all(to)), [&] {
        each_run_beside(
            to, [from](std::byte* place, std::int64_t at, std::size_t bytes) { std::memcpy(place, from + at, bytes); });
    });
}

}  // namespace kiln::streamed
