#include <device/observed/observed_device.hpp>

#include <capture/known_device.hpp>
#include <device/copy_lanes.hpp>
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

/// Copies beside kernels, each an event.
class observed_lanes final : public copy_lanes {
public:
    observed_lanes(std::unique_ptr<copy_lanes> behind, std::string device)
        : behind_(std::move(behind)), device_(std::move(device)) {}

    void copy_in(std::byte* to, const void* from, std::size_t bytes) override {
        see(lane::in, "host to " + device_, &profile_event::bytes_written, bytes,
            [&] { behind_->copy_in(to, from, bytes); });
    }
    void copy_out(void* to, const std::byte* from, std::size_t bytes) override {
        see(lane::out, device_ + " to host", &profile_event::bytes_read, bytes,
            [&] { behind_->copy_out(to, from, bytes); });
    }
    void set(int mark, lane of) override { behind_->set(mark, of); }
    void wait(lane in, int mark) override { behind_->wait(in, mark); }
    void wait(int mark) override { behind_->wait(mark); }
    std::shared_ptr<record::run_timer> time(lane of, const std::function<void()>& work) override {
        return behind_->time(of, work);
    }

private:
    template <class Copy>
    void see(lane on, const std::string& name, std::int64_t profile_event::*which, std::size_t bytes, Copy copy) {
        timed_event seen(profiled::copy, "copy");
        seen.runs_by(behind_->time(on, copy));
        seen->name = name;
        seen->device = device_;
        seen->stream = on == lane::in ? of_lane_in : of_lane_out;
        (*seen.operator->()).*which = static_cast<std::int64_t>(bytes);
        seen.finish();
    }

    // As numbers of streams: none has these.
    static constexpr int of_lane_in = 64;
    static constexpr int of_lane_out = 65;

    std::unique_ptr<copy_lanes> behind_;
    const std::string device_;
};

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

std::unique_ptr<copy_lanes> observed_device::make_lanes() {
    return std::make_unique<observed_lanes>(behind_.make_lanes(), name_);
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
