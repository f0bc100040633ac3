// Handing out buffers, and telling what belongs to the loop from what does not.
#include <device/recording/recording.hpp>

#include <device/arrays.hpp>
#include <device/memory.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>

namespace kiln::backend {

using kiln::detail::array_node;
using kiln::detail::handle;
using kiln::detail::ownership;

namespace {

/// Of the buffer that holds the byte at `memory`; as many as there are where none does.
std::size_t buffer_with(const std::vector<recorded_buffer>& buffers, const std::byte* memory) noexcept {
    const auto found = std::find_if(buffers.begin(), buffers.end(), [memory](const recorded_buffer& each) {
        return memory >= each.owner.get()->data && memory < each.owner.get()->data + each.bytes;
    });
    return static_cast<std::size_t>(found - buffers.begin());
}

}  // namespace

void note_read(device& on, const array_node& node) { static_cast<recording&>(on).read(node); }
void note_write(device& on, const array_node& node) { static_cast<recording&>(on).write(node); }

void refuse_to_record(const char* what) {
    throw device_error(
        text::format("kiln: graph: {} in the body of a graph: the body is recorded, nothing in it is computed yet, "
                     "and a replay asks nothing of the host; call it before the graph is made, or between replays",
                     what));
}

outside_of_recording::outside_of_recording(const array_node& of) noexcept {
    if (recorder_ && static_cast<recording*>(recorder_)->buffer_of(of) < 0) detail::recorder = nullptr;
}

recorded_kernel::recorded_kernel(const loaded_kernel& kernel, const launch_arguments& arguments,
                                 const std::vector<recorded_buffer>& buffers)
    : launch_(std::make_unique<recorded_launch>(kernel, arguments)) {
    const plan::kernel_signature& parameters = launch_->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!plan::is_address(parameters[i].what)) continue;
        const std::byte* const address = launch_->address(i);
        const std::size_t buffer = buffer_with(buffers, address);
        if (buffer < buffers.size()) places_.push_back({i, buffer, address - buffers[buffer].owner.get()->data});
    }
}

void recorded_kernel::follow(const std::vector<recorded_buffer>& buffers) noexcept {
    for (const place& each : places_)
        launch_->set_address(each.parameter, buffers[each.buffer].owner.get()->data + each.offset);
}

int recording::buffer_of(const array_node& node) const noexcept {
    const std::size_t buffer = buffer_with(buffers_, node.storage().data);
    return buffer < buffers_.size() ? static_cast<int>(buffer) : -1;
}

int recording::taken_count() const noexcept {
    return static_cast<int>(
        std::count_if(buffers_.begin(), buffers_.end(), [](const recorded_buffer& each) { return each.taken; }));
}

void recording::abandon() noexcept {
    for (recorded_buffer& each : buffers_) {
        if (!each.taken) continue;
        // The array that took it owns it now; what it was allocated with is what the array gives back.
        each.owner.get()->data = nullptr;
        each.taken = false;
    }
}

std::byte* recording::allocate(std::size_t bytes) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        recorded_buffer& each = buffers_[i];
        if (each.taken || each.bytes != bytes || static_cast<int>(i) == counters_) continue;
        each.taken = true;
        return each.owner.get()->data;
    }
    recorded_buffer& made = new_buffer(bytes);
    made.taken = true;
    return made.owner.get()->data;
}

recorded_buffer& recording::new_buffer(std::size_t bytes) {
    buffers_.push_back(
        {make_owner(behind_, element_type::uint8, shape{static_cast<std::int64_t>(bytes)}, behind_.current_stream()),
         bytes, false});
    return buffers_.back();
}

void recording::deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept {
    for (recorded_buffer& each : buffers_)
        if (each.taken && each.owner.get()->data == memory) {
            each.taken = false;
            return;
        }
    backend::deallocate(behind_, memory, bytes, streams);
}

void recording::copy_from_host(std::byte*, const void*, std::size_t) {
    refuse_to_record("reading memory of the host behind wrap()");
}
void recording::copy_to_host(void*, const std::byte*, std::size_t) {
    refuse_to_record("writing memory of the host behind wrap()");
}

std::byte* recording::counters(int) {
    if (counters_ < 0) {
        if (!behind_.counters(behind_.current_stream())) return nullptr;
        const recorded_buffer& made = new_buffer(counter_bytes);
        counters_ = static_cast<int>(buffers_.size()) - 1;
        const std::vector<std::byte> zeros(counter_bytes);
        behind_.copy_from_host(made.owner.get()->data, zeros.data(), counter_bytes);
    }
    return buffers_[static_cast<std::size_t>(counters_)].owner.get()->data;
}

void recording::read(const array_node& node) {
    if (node.owned == ownership::position || !node.data || buffer_of(node) >= 0) return;
    const auto is_node = [&node](const handle<array_node>& each) { return each.get() == &node; };
    if (std::any_of(inputs_.begin(), inputs_.end(), is_node)) return;
    inputs_.reserve(inputs_.size() + 1);
    inputs_.push_back(share(node));
}

void recording::write(const array_node& node) {
    const bool is_the_users = node.owned == ownership::device_user || node.owned == ownership::host_user;
    if (is_the_users || buffer_of(node) >= 0) return;
    throw error(
        text::format("kiln: graph: the body assigns to an array of shape {} ({}) that the graph does not carry; name "
                     "it among the carried arrays, or make it in the body",
                     to_string(node.extents), info(node.type).name));
}

}  // namespace kiln::backend
