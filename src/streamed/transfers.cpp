#include <streamed/transfers.hpp>

#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/stream_order.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/packed.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace kiln::streamed {

using backend::lane;

namespace {

// Marks of the lanes: three of each slot, then others.
constexpr int arrived(int slot) { return slot; }
constexpr int made(int slot) { return transfers::most_under_way + slot; }
constexpr int left(int slot) { return 2 * transfers::most_under_way + slot; }
constexpr int fresh = 3 * transfers::most_under_way;              // memory is the evaluation's
constexpr int came = fresh + 1;                                   // what all chunks read
constexpr int piece_went(int piece) { return came + 1 + piece; }  // to the device: it may be filled again
static_assert(piece_went(1) < backend::lane_mark_count);

/// Without what is there more than once.
shape stored_extents(const array_node& part) {
    std::int64_t extents[max_rank];
    for (int axis = 0; axis < part.extents.rank(); ++axis)
        extents[axis] = part.strides[axis] == 0 ? std::min<std::int64_t>(1, part.extents[axis]) : part.extents[axis];
    return shape(extents, part.extents.rank());
}

/// `part` as its elements lie in memory, the axis of the largest stride first: what is turned around, or has its axes in another order, is
/// copied as it lies, and seen so on the device. Without what is there more than once. An array that is row-major stays as it is.
handle<array_node> as_it_lies(const array_node& part) {
    if (kiln::detail::is_row_major(part) || part.extents.size() == 0) return kiln::detail::share(part);
    int axes[max_rank];
    int rank = 0;
    std::int64_t below = 0;  // its first element in memory is so far before the part's
    for (int axis = 0; axis < part.extents.rank(); ++axis) {
        if (part.extents[axis] == 1 || part.strides[axis] == 0) continue;
        axes[rank++] = axis;
        if (part.strides[axis] < 0) below += (part.extents[axis] - 1) * part.strides[axis];
    }
    std::stable_sort(axes, axes + rank,
                     [&](int left, int right) { return std::abs(part.strides[left]) > std::abs(part.strides[right]); });
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    std::int64_t extents[max_rank];
    for (int i = 0; i < rank; ++i) {
        extents[i] = part.extents[axes[i]];
        node.strides[i] = std::abs(part.strides[axes[i]]);
    }
    node.type = part.type;
    node.owned = part.owned;
    node.extents = shape(extents, rank);
    node.data = part.data + below * bytes_of(part.type);
    node.base = kiln::detail::share(part.storage());
    node.contiguous = kiln::detail::is_row_major(node);
    return made;
}

/// `copy` has the elements of as_it_lies(part): the part of it.
handle<array_node> seen_as(const array_node& part, const array_node& lies, handle<array_node> copy) {
    if (&part == &lies) return copy;
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = part.type;
    node.owned = kiln::detail::ownership::view;
    node.device = copy.get()->device;
    node.extents = part.extents;
    node.data = copy.get()->data;
    // Where each axis went is known by its stride, and of axes of one stride, whose extents are 1 but for overlaps, by their order.
    bool is_taken[max_rank] = {};
    for (int axis = 0; axis < part.extents.rank(); ++axis) {
        node.strides[axis] = 0;
        if (part.extents[axis] == 1 || part.strides[axis] == 0) continue;
        int at = 0;
        while (is_taken[at] || lies.strides[at] != std::abs(part.strides[axis]) ||
               lies.extents[at] != part.extents[axis])
            ++at;
        is_taken[at] = true;
        const bool is_turned = part.strides[axis] < 0;
        node.strides[axis] = is_turned ? -copy.get()->strides[at] : copy.get()->strides[at];
        if (is_turned) node.data += (part.extents[axis] - 1) * copy.get()->strides[at] * bytes_of(part.type);
    }
    node.contiguous = kiln::detail::is_row_major(node);
    node.base = kiln::detail::share(copy.get()->storage());
    return made;
}

std::size_t bytes_in(const shape& extents, element_type type) {
    return static_cast<std::size_t>(extents.size()) * static_cast<std::size_t>(bytes_of(type));
}

}  // namespace

std::int64_t bytes_of_copy(const array_node& part) {
    if (!part.map) return stored_extents(part).size() * bytes_of(part.type);
    const array_node& whole = part.storage();
    return whole.data ? static_cast<std::int64_t>(kiln::detail::bytes_between(whole).size()) : 0;
}

transfers::transfers(backend::device& on) : on_(on), lanes_(on.make_lanes()) {}

transfers::~transfers() = default;

void transfers::begin_chunk() {
    slot_ = (slot_ + 1) % most_under_way;
    chunk_memory& mine = now();
    const int done = mine.leaves ? left(slot_) : made(slot_);
    if (mine.is_under_way && waits_on_device_) {
        // What comes in waits for that, and kernels for what comes in: until then memory that is given back may be in use.
        lanes_->wait(lane::in, done);
        mine.before.swap(mine.leaving);
    } else if (mine.is_under_way) {
        lanes_->wait(done);
    }
    mine.is_under_way = false;
    mine.leaves = false;
    mine.next_operand = 0;
    mine.leaving.clear();
}

void transfers::end_chunk(const operands_ahead& ahead) {
    chunk_memory& mine = now();
    if (mine.leaves) lanes_->set(left(slot_), lane::out);
    else lanes_->set(made(slot_), lane::kernels);
    mine.is_under_way = true;
    is_first_ = false;
    if (waits_on_device_) return;  // nothing goes by way of the host's threads
    finish_moves();
    std::vector<byte_move> at_once;  // the next chunk needs it: it is known for the first time
    std::vector<byte_move> beside;
    for (const int chunk : {1, 2})
        if (const auto* const operands = ahead(chunk)) bring_near(chunk, *operands, chunk == 1 ? at_once : beside);
    // Results of this chunk and of the one before are on their way meanwhile.
    std::size_t most_left = 0;
    for (const passing_result& each : passing_)
        if (each.slot == slot_ || each.slot == (slot_ + most_under_way - 1) % most_under_way) ++most_left;
    take_passing(most_left, beside);
    move_bytes(at_once);
    beside_.begin(std::move(beside));
}

/// To its locked memory, which the device has read.
void transfers::bring_near(int ahead, const std::vector<handle<array_node>>& operands, std::vector<byte_move>& moves) {
    const int slot = (slot_ + ahead) % most_under_way;
    std::vector<place_of_chunk>& places = slots_[static_cast<std::size_t>(slot)].operands;
    for (std::size_t i = 0; i < operands.size() && i < places.size(); ++i) {
        const handle<array_node> lies = as_it_lies(*operands[i].get());
        const array_node& from = *lies.get();
        const std::size_t bytes = bytes_in(from.extents, from.type);
        if (bytes == 0 || places[i].packed == from.data) continue;
        if (!kiln::detail::is_row_major(from) || goes_straight(from)) continue;
        lanes_->wait(arrived(slot));
        if (places[i].passing.bytes() < bytes) places[i].passing = locked_memory(on_, bytes);
        moves.push_back({from.data, places[i].passing.data(), bytes});
        places[i].packed = from.data;
    }
}

/// Threads have moved what they were given.
void transfers::finish_moves() {
    beside_.finish();
    for (passing_result& each : moved_) spare_.push_back(std::move(each.from));
    moved_.clear();
}

bool transfers::goes_straight(const array_node& memory) {
    if (!kiln::detail::is_row_major(memory)) return false;
    const array_node& whole = memory.storage();
    if (const host_memory* const ours = host_memory_of(whole); ours && ours->own.data()) return ours->own.is_locked();
    for (const auto& [data, is_straight] : straight_)
        if (data == whole.data) return is_straight;
    const bool is_straight = backend::place_of(whole.data).is_pinned;
    straight_.emplace_back(whole.data, is_straight);
    return is_straight;
}

handle<array_node> transfers::new_memory(element_type type, const shape& extents) {
    handle<array_node> out = backend::make_owner(on_, type, extents, on_.current_stream());
    // Kernels that were launched may still use it.
    lanes_->set(fresh, lane::kernels);
    lanes_->wait(lane::in, fresh);
    return out;
}

void transfers::reserve(place_of_chunk& place, element_type type, const shape& extents) {
    if (!place.memory || place.memory.get()->allocated_bytes < bytes_in(extents, type))
        place.seen = place.memory = new_memory(type, extents);
}

/// The place's memory as an array, the same one again if it can be.
handle<array_node> transfers::seen_in(place_of_chunk& place, element_type type, const shape& extents) {
    reserve(place, type, extents);
    if (place.seen && place.seen.get()->type == type && place.seen.get()->extents == extents) return place.seen;
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = type;
    node.owned = kiln::detail::ownership::view;
    node.device = place.memory.get()->device;
    node.extents = extents;
    kiln::detail::set_contiguous_strides(node);
    node.data = place.memory.get()->data;
    node.base = place.memory;
    return place.seen = std::move(made);
}

/// The memory of the chunk's next operand.
transfers::place_of_chunk& transfers::next_place(element_type type, const shape& extents) {
    const std::size_t index = now().next_operand++;
    const auto place_in = [index](chunk_memory& of) -> place_of_chunk& {
        if (of.operands.size() <= index) of.operands.resize(index + 1);
        return of.operands[index];
    };
    // Memory that is new now is there when kernels that were launched before are done: of the next chunks, too, which else would wait for
    // kernels of this one.
    if (is_first_)
        for (int next = 0; next < std::min<std::int64_t>(expected_, most_under_way); ++next)
            reserve(place_in(slots_[static_cast<std::size_t>((slot_ + next) % most_under_way)]), type, extents);
    return place_in(now());
}

handle<array_node> transfers::copy_in(const array_node& part) {
    const handle<array_node> lies = as_it_lies(part);
    place_of_chunk& place = next_place(part.type, lies.get()->extents);
    const handle<array_node> copy = seen_in(place, part.type, lies.get()->extents);
    send(copy.get()->data, *lies.get(), place.passing, std::exchange(place.packed, nullptr) == lies.get()->data);
    return seen_as(part, *lies.get(), copy);
}

handle<array_node> transfers::copy_in(const rolled_part& part) {
    const array_node& first = *part.first.get();
    if (!part.second) return copy_in(first);
    const array_node& second = *part.second.get();
    std::int64_t extents[max_rank];
    std::copy(first.extents.begin(), first.extents.end(), extents);
    extents[part.axis] += second.extents[part.axis];
    const shape both(extents, first.extents.rank());
    place_of_chunk& place = next_place(first.type, both);
    handle<array_node> copy = seen_in(place, first.type, both);
    const std::size_t begin = bytes_in(first.extents, first.type);
    const std::size_t bytes = bytes_in(both, first.type);
    place.packed = nullptr;
    has_copied_ = true;
    if (goes_straight(first)) {
        lanes_->copy_in(copy.get()->data, first.data, begin);
        lanes_->copy_in(copy.get()->data + begin, second.data, bytes - begin);
        return copy;
    }
    if (place.passing.bytes() < bytes) place.passing = locked_memory(on_, bytes);
    finish_moves();
    pack(first, place.passing.data());
    pack(second, place.passing.data() + begin);
    lanes_->copy_in(copy.get()->data, place.passing.data(), bytes);
    return copy;
}

/// `passing`: nothing of it is under way; `is_packed`: it has the elements.
void transfers::send(std::byte* to, const array_node& from, locked_memory& passing, bool is_packed) {
    const std::size_t bytes = bytes_in(from.extents, from.type);
    if (bytes == 0) return;
    has_copied_ = true;
    if (goes_straight(from)) return lanes_->copy_in(to, from.data, bytes);
    if (passing.bytes() < bytes) passing = locked_memory(on_, bytes), is_packed = false;
    if (!is_packed) {
        finish_moves();  // else this thread would do it alone
        pack(from, passing.data());
    }
    lanes_->copy_in(to, passing.data(), bytes);
}

handle<array_node> transfers::copy_for_all(const array_node& whole) {
    const handle<array_node> from = as_it_lies(whole);
    const handle<array_node> copy = new_memory(whole.type, from.get()->extents);
    const std::size_t bytes = bytes_in(from.get()->extents, whole.type);
    if (kiln::detail::is_row_major(*from.get())) {
        send_in_pieces(copy.get()->data, from.get()->data, bytes);
    } else {
        locked_memory passing;
        send(copy.get()->data, *from.get(), passing);
        lanes_->set(came, lane::in);
        lanes_->wait(came);
    }
    return seen_as(whole, *from.get(), copy);
}

/// Neighbours, locked or not.
void transfers::send_in_pieces(std::byte* to, const std::byte* from, std::size_t bytes) {
    constexpr std::size_t most = std::size_t{8} << 20;
    if (bytes == 0) return;
    has_copied_ = true;
    if (backend::place_of(from).is_pinned) return lanes_->copy_in(to, from, bytes);
    for (std::size_t at = 0; at < bytes; at += most) {
        const std::size_t now = std::min(most, bytes - at);
        locked_memory& piece = pieces_[static_cast<std::size_t>(next_piece_)];
        lanes_->wait(piece_went(next_piece_));
        if (piece.bytes() < now) piece = locked_memory(on_, now);
        move_bytes(std::array{byte_move{from + at, piece.data(), now}});
        lanes_->copy_in(to + at, piece.data(), now);
        lanes_->set(piece_went(next_piece_), lane::in);
        next_piece_ = 1 - next_piece_;
    }
}

handle<array_node> transfers::copy_storage(const array_node& part) {
    const array_node& whole = part.storage();
    const kiln::detail::byte_range range = kiln::detail::bytes_between(whole);
    const std::int64_t element = bytes_of(whole.type);
    const std::int64_t before = (whole.data - range.begin) / element;
    handle<array_node> made;
    for (const auto& [of, copy] : storages_)
        if (of.get() == &whole) made = copy;
    if (!made) {
        made = new_memory(whole.type, {static_cast<std::int64_t>(range.size()) / element});
        send_in_pieces(made.get()->data, range.begin, range.size());
        storages_.emplace_back(kiln::detail::share(whole), made);
    }
    handle<array_node> view(new array_node);
    array_node& node = *view.get();
    node.type = part.type;
    node.owned = kiln::detail::ownership::view;
    node.contiguous = part.contiguous;
    node.device = made.get()->device;
    node.extents = part.extents;
    std::copy(part.strides, part.strides + part.extents.rank(), node.strides);
    node.data = made.get()->data + before * element + (part.data - whole.data);
    if (part.map) node.map = std::make_unique<const kiln::detail::index_map>(*part.map);
    node.base = std::move(made);
    return view;
}

void transfers::before_kernels() {
    if (!std::exchange(has_copied_, false)) return;
    lanes_->set(arrived(slot_), lane::in);
    lanes_->wait(lane::kernels, arrived(slot_));
    now().before.clear();
}

void transfers::copy_out(handle<array_node> from, handle<array_node> to) {
    const std::size_t bytes = bytes_in(from.get()->extents, from.get()->type);
    if (bytes == 0) return;
    chunk_memory& mine = now();
    mine.leaves = true;
    before_kernels();
    backend::before_read(on_, *from.get(), on_.current_stream());  // a stream of another thread may have made it
    lanes_->set(made(slot_), lane::kernels);
    lanes_->wait(lane::out, made(slot_));
    const std::byte* const elements = from.get()->data;
    mine.leaving.push_back(std::move(from));
    if (goes_straight(*to.get())) {
        lanes_->copy_out(to.get()->data, elements, bytes);
        mine.leaving.push_back(std::move(to));
        return;
    }
    locked_memory passing = locked(bytes);
    lanes_->copy_out(passing.data(), elements, bytes);
    passing_.push_back({slot_, std::move(passing), std::move(to)});
}

/// On the way out.
locked_memory transfers::locked(std::size_t bytes) {
    for (locked_memory& each : spare_) {
        if (each.bytes() < bytes) continue;
        locked_memory out = std::move(each);
        each = std::move(spare_.back());
        spare_.pop_back();
        return out;
    }
    return {on_, bytes};
}

/// Those that came first, once they are there; what is in memory side by side is left to `moves`.
void transfers::take_passing(std::size_t most_left, std::vector<byte_move>& moves) {
    while (passing_.size() > most_left) {
        moved_.push_back(std::move(passing_.front()));
        passing_.pop_front();
        const passing_result& first = moved_.back();
        lanes_->wait(left(first.slot));
        const array_node& to = *first.to.get();
        // The device's copies of it have been through the caches as well.
        const bool is_of_much = is_much(2 * kiln::detail::bytes_between(to.storage()).size());
        if (kiln::detail::is_row_major(to))
            moves.push_back({first.from.data(), to.data, bytes_in(to.extents, to.type), is_of_much});
        else unpack(first.from.data(), to);
    }
}

void transfers::wait() {
    finish_moves();
    std::vector<byte_move> moves;
    take_passing(0, moves);
    move_bytes(moves);
    finish_moves();
    for (int each = 0; each < most_under_way; ++each)
        if (const chunk_memory& of = slots_[static_cast<std::size_t>(each)]; of.is_under_way && of.leaves)
            lanes_->wait(left(each));
}

}  // namespace kiln::streamed
