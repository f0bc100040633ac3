// k::device and what the calling thread is on.
#include <api/amounts.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <record/tally.hpp>
#include <streamed/locked_memory.hpp>

#include <kiln/allocator.hpp>
#include <kiln/array.hpp>
#include <kiln/device.hpp>

namespace kiln::inline v0_1 {

using detail::known_device;

std::string device::name() const { return detail::name_of(*known_); }
device_kind device::kind() const noexcept { return known_->kind; }
int device::index() const noexcept { return known_->index; }
device_info device::describe() const { return backend::device_at(*known_).describe(); }

std::string to_string(const memory_use_info& of) {
    using detail::bytes_text;
    std::string text = bytes_text(of.array_bytes) + " in arrays, " + bytes_text(of.spare_bytes) + " spare, " +
                       bytes_text(of.free_bytes) + " free of " + bytes_text(of.total_bytes);
    if (of.locked_bytes != 0 || of.spare_locked_bytes != 0)
        text += "; of the host's memory " + bytes_text(of.locked_bytes) + " locked, " +
                bytes_text(of.spare_locked_bytes) + " spare";
    return text;
}

memory_use_info memory_use(const device& of) {
    backend::device& asked = backend::device_at(detail::access::known(of));
    const backend::memory_held held = asked.memory();
    const device_info about = asked.describe();
    const backend::memory_held locked = streamed::locked_for(detail::access::known(of));
    const auto count = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes); };
    return {count(held.live_bytes + asked.user().live_bytes()),
            count(held.spare_bytes),
            about.free_bytes,
            about.total_bytes,
            count(locked.live_bytes),
            count(locked.spare_bytes)};
}

void trim_memory(const device& of) {
    backend::refuse_while_recording("trim_memory()");
    record::this_thread().add(record::counter::synchronizations, 1);
    backend::device_at(detail::access::known(of)).trim_memory();
    streamed::trim_locked(detail::access::known(of));
}

allocator::~allocator() = default;

void use_allocator(std::shared_ptr<allocator> from, const device& on) {
    backend::refuse_while_recording("use_allocator()");
    backend::device_at(detail::access::known(on)).user().use(std::move(from));
}

device cuda(int index) { return detail::access::make<device>(&backend::gpu_at(index)); }

std::vector<device> devices() {
    std::vector<device> out;
    for (known_device* const each : backend::all_devices()) out.push_back(detail::access::make<device>(each));
    return out;
}

device current_device() { return detail::access::make<device>(&backend::current_known()); }

known_device* scoped_device::exchange(known_device* next) noexcept {
    return std::exchange(backend::detail::thread_device, next);
}

void synchronize() {
    backend::refuse_while_recording("synchronize()");
    record::this_thread().add(record::counter::synchronizations, 1);
    backend::current_device().synchronize();
}

void use_stream(void* stream) { backend::current_device().use_stream(stream); }

}  // namespace kiln::inline v0_1
