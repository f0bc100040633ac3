#include <streamed/transfers.hpp>

#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/stream_order.hpp>
#include <device/user_streams.hpp>
#include <streamed/packed.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace kiln::streamed {

side_stream::side_stream(backend::device& on) : on_(on) {
    if (backend::user_streams* const all = on.streams()) native_ = all->make(/*priority=*/0);
}

side_stream::~side_stream() {
    if (native_) on_.streams()->destroy(native_);
}

side_stream::here::here(const side_stream& stream) : stream_(stream) {
    if (!stream.native_) return;
    before_ = stream.on_.streams()->current();
    stream.on_.use_stream(stream.native_);
}

side_stream::here::~here() {
    if (!stream_.native_) return;
    try {
        stream_.on_.use_stream(before_);
    } catch (const error&) {  // the stream before is in use no more: it was there when this began
    }
}

namespace {

/// Without what is there more than once.
shape stored_extents(const array_node& part) {
    std::int64_t extents[max_rank];
    for (int axis = 0; axis < part.extents.rank(); ++axis)
        extents[axis] = part.strides[axis] == 0 ? std::min<std::int64_t>(1, part.extents[axis]) : part.extents[axis];
    return shape(extents, part.extents.rank());
}

/// A view of `part` that has those elements alone.
handle<array_node> stored_part(const array_node& part, const shape& stored) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = part.type;
    node.owned = part.owned;
    node.extents = stored;
    std::copy(part.strides, part.strides + stored.rank(), node.strides);
    node.data = part.data;
    return made;
}

}  // namespace

std::int64_t bytes_of_copy(const array_node& part) {
    if (!part.map) return stored_extents(part).size() * bytes_of(part.type);
    const array_node& whole = part.storage();
    return whole.data ? static_cast<std::int64_t>(kiln::detail::bytes_between(whole).size()) : 0;
}

handle<array_node> uploads::copy(const array_node& part) {
    const shape stored = stored_extents(part);
    const handle<array_node> from = stored_part(part, stored);
    handle<array_node> made;
    {
        const side_stream::here here(stream_);
        made = backend::make_owner(on_, part.type, stored, on_.current_stream());
        if (const std::size_t bytes = made.get()->allocated_bytes) {
            std::unique_ptr<std::byte[]> packed;
            const std::byte* elements = from.get()->data;
            if (!kiln::detail::is_row_major(*from.get())) {
                packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
                pack(*from.get(), packed.get());
                elements = packed.get();
            }
            on_.copy_from_host(made.get()->data, elements, bytes);
            bytes_ += static_cast<std::int64_t>(bytes);
        }
    }
    if (stored == part.extents) return made;
    kiln::detail::view_spec again = kiln::detail::broadcast(stored, part.extents);
    return kiln::detail::viewed(made, again);
}

handle<array_node> uploads::copy_storage(const array_node& part) {
    const array_node& whole = part.storage();
    const kiln::detail::byte_range range = kiln::detail::bytes_between(whole);
    const std::int64_t element = bytes_of(whole.type);
    const std::int64_t before = (whole.data - range.begin) / element;
    handle<array_node> made;
    for (const auto& [of, copy] : storages_)
        if (of.get() == &whole) made = copy;
    if (!made) {
        const side_stream::here here(stream_);
        made = backend::make_owner(on_, whole.type, {static_cast<std::int64_t>(range.size()) / element},
                                   on_.current_stream());
        on_.copy_from_host(made.get()->data, range.begin, range.size());
        bytes_ += static_cast<std::int64_t>(range.size());
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

downloads::downloads(backend::device& on) : on_(on), stream_(on) {}

downloads::~downloads() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void downloads::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !next_ && !is_busy_; });
    if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

void downloads::copy(handle<array_node> from, handle<array_node> to) {
    wait();
    bytes_ += static_cast<std::int64_t>(from.get()->extents.size()) * bytes_of(from.get()->type);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    {
        const std::lock_guard lock(mutex_);
        next_.emplace(job{std::move(from), std::move(to)});
    }
    changed_.notify_all();
}

void downloads::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return next_ || ends_; });
        if (!next_) return;
        job now = std::move(*next_);
        next_.reset();
        is_busy_ = true;
        lock.unlock();
        std::exception_ptr trouble;
        try {
            const backend::scoped_current on_device(*on_.known());
            const side_stream::here here(stream_);
            copy_now(*now.from.get(), *now.to.get());
        } catch (...) {
            trouble = std::current_exception();
        }
        now = {};
        lock.lock();
        is_busy_ = false;
        if (trouble && !trouble_) trouble_ = trouble;
        changed_.notify_all();
    }
}

void downloads::copy_now(const array_node& from, const array_node& to) {
    const std::size_t bytes =
        static_cast<std::size_t>(from.extents.size()) * static_cast<std::size_t>(bytes_of(from.type));
    if (bytes == 0) return;
    backend::before_read(on_, from, on_.current_stream());
    if (kiln::detail::is_row_major(to)) return on_.copy_to_host(to.data, from.data, bytes);
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    on_.copy_to_host(packed.get(), from.data, bytes);
    unpack(packed.get(), to);
}

}  // namespace kiln::streamed
