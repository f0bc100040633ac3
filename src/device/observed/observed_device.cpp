#include <device/observed/observed_device.hpp>

#include <capture/known_device.hpp>
#include <process/immortal.hpp>
#include <record/profile.hpp>
#include <record/stopwatch.hpp>

namespace kiln::backend {

namespace {

using record::timed_event;

const std::shared_ptr<const record::kernel_facts>& facts_of_replays() {
    static constinit process::immortal<std::shared_ptr<const record::kernel_facts>> facts;
    return facts([] {
        auto made = std::make_shared<record::kernel_facts>();
        made->name = "a recorded loop";
        return new std::shared_ptr<const record::kernel_facts>(std::move(made));
    });
}

/// Times a launch on the device, or, of one that runs before it returns, on the host's clock.
template <class Launch>
void time_launch(device& on, const std::shared_ptr<record::event>& made, int stream, Launch launch) {
    made->seen.stream = stream;
    if (const std::shared_ptr<launch_timer> timer = on.make_timer()) {
        timer->start(stream);
        launch();
        timer->stop(stream);
        made->timer = timer;
    } else {
        const std::int64_t begin_ns = record::now_ns();
        launch();
        made->seen.run_begin_ns = begin_ns;
        made->seen.run_ns = record::now_ns() - begin_ns;
    }
    record::end_launch(made);
}

}  // namespace

observed_device::observed_device(device& behind) : behind_(behind), name_(kiln::detail::name_of(*behind.known())) {
    be(*behind.known());
}

void observed_device::copy_from_host(std::byte* to, const void* from, std::size_t bytes) {
    timed_event seen(profiled::copy, "host to device");
    behind_.copy_from_host(to, from, bytes);
    seen->name = "host to " + name_;
    seen->device = name_;
    seen->stream = behind_.current_stream();
    seen->bytes_written = static_cast<std::int64_t>(bytes);
    seen.finish();
}

void observed_device::copy_to_host(void* to, const std::byte* from, std::size_t bytes) {
    timed_event seen(profiled::copy, "device to host");
    behind_.copy_to_host(to, from, bytes);
    seen->name = name_ + " to host";
    seen->device = name_;
    seen->stream = behind_.current_stream();
    seen->bytes_read = static_cast<std::int64_t>(bytes);
    seen.finish();
}

bool observed_device::copy_from_peer(std::byte* to, device& source, const std::byte* from, std::size_t bytes) {
    timed_event seen(profiled::copy, "device to device");
    if (!behind_.copy_from_peer(to, behind_observer(source), from, bytes)) return false;
    seen->name = kiln::detail::name_of(*source.known()) + " to " + name_;
    seen->device = name_;
    seen->stream = behind_.current_stream();
    seen->bytes_read = static_cast<std::int64_t>(bytes);
    seen.finish();
    return true;
}

void observed_device::synchronize() {
    timed_event seen(profiled::wait, "synchronize()");
    behind_.synchronize();
    seen->device = name_;
    seen->stream = behind_.current_stream();
    seen.finish();
}

launch_facts observed_device::known_facts(const loaded_kernel& kernel, int threads_per_block) {
    if (!kernel.facts()) return behind_.facts_of(kernel, threads_per_block);
    const std::lock_guard held(facts_mutex_);
    const auto [place, is_new] = facts_.try_emplace({kernel.facts(), threads_per_block});
    if (is_new) place->second = behind_.facts_of(kernel, threads_per_block);
    return place->second;
}

void observed_device::launch(const loaded_kernel& kernel, const launch_arguments& arguments) {
    const std::shared_ptr<record::event> made = record::begin_launch(profiled::kernel, kernel.facts());
    profile_event& seen = made->seen;
    seen.device = name_;
    seen.block_count = arguments.block_count;
    seen.threads_per_block = arguments.threads_per_block;
    const launch_facts of = known_facts(kernel, arguments.threads_per_block);
    seen.registers = of.registers;
    seen.static_shared_bytes = of.static_shared_bytes;
    seen.spilled_bytes = of.local_bytes;
    seen.occupancy = of.occupancy;
    seen.element_count = arguments.element_count;
    if (kernel.facts()) seen.operation_count = kernel.facts()->step_count * arguments.element_count;
    time_launch(behind_, made, arguments.stream, [&] { behind_.launch(kernel, arguments); });
}

device& behind_observer(device& of) noexcept {
    auto* const observer = dynamic_cast<observed_device*>(&of);
    return observer ? observer->behind() : of;
}

void launch_observed(device& on, launch_sequence& what, int stream, std::int64_t kernel_count) {
    const std::shared_ptr<record::event> made = record::begin_launch(profiled::replay, facts_of_replays());
    made->seen.device = kiln::detail::name_of(*on.known());
    made->seen.kernel_count = kernel_count;
    time_launch(on, made, stream, [&] { what.launch(stream); });
}

}  // namespace kiln::backend
