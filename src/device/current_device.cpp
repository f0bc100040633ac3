// Which device the process runs on.
#include <device/cpu/cpu_device.hpp>
#include <device/cuda/cuda_device.hpp>
#include <device/device.hpp>
#include <device/kernel_store.hpp>
#include <jit_cache/trust.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <charconv>
#include <mutex>
#include <string>
#include <string_view>

namespace kiln::backend {

namespace detail {
constinit std::atomic<device*> chosen_device{nullptr};
constinit std::atomic<int> generation{0};
constinit std::atomic<std::uint16_t> call_tag{0};
thread_local constinit device* recorder = nullptr;
}  // namespace detail

namespace {

/// "cpu", "cuda" or "cuda:N".
std::unique_ptr<device> make_device(std::string_view wanted) {
    if (wanted.empty()) return cuda_available() ? make_cuda_device(0) : make_cpu_device();
    if (wanted == "cpu") return make_cpu_device();
    if (wanted == "cuda") return make_cuda_device(0);
    if (wanted.starts_with("cuda:")) {
        const std::string_view digits = wanted.substr(5);
        int ordinal = -1;
        const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
        if (trouble == std::errc{} && end == digits.data() + digits.size() && ordinal >= 0)
            return make_cuda_device(ordinal);
    }
    throw device_error(text::format("kiln: KILN_DEVICE={} is no device; it may be cpu, cuda or cuda:N", wanted));
}

std::uint16_t tag_of(const device& chosen) {
    const unsigned number = static_cast<unsigned>(device_generation()) % 32;
    return static_cast<std::uint16_t>(number << 3 |
                                      (chosen.target().kind == plan::frame::host ? plan::calls_of_host : 0u));
}

constinit std::mutex choosing;

/// What a child of fork() has in a GPU's place: CUDA's state does not survive a fork(), and a call into it may hang.
class forked_device final : public device {
public:
    [[nodiscard]] const plan::target& target() const noexcept override { return plan::cuda_target; }
    [[nodiscard]] device_info describe() const override { refuse(); }
    std::byte* allocate(std::size_t) override { refuse(); }
    // The parent's memory, and the parent's to give back.
    void deallocate(std::byte*, std::size_t, std::uint64_t) noexcept override {}
    void copy_from_host(std::byte*, const void*, std::size_t) override { refuse(); }
    void copy_to_host(void*, const std::byte*, std::size_t) override { refuse(); }
    [[nodiscard]] memory_place place_of(const void*) const override { refuse(); }
    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override { refuse(); }
    void order_after(int, int) override { refuse(); }
    void synchronize() override { refuse(); }
    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return nullptr; }
    std::unique_ptr<loaded_kernel> load(const std::string&, const std::string&, const lower::program&,
                                        const plan::kernel&) override {
        refuse();
    }
    std::unique_ptr<loaded_kernel> interpret(const lower::program&, const plan::kernel&) override { refuse(); }
    void launch(const loaded_kernel&, const launch_arguments&) override { refuse(); }

private:
    [[noreturn]] static void refuse() {
        throw device_error(
            "device: this process is a fork() of one that uses a GPU, and CUDA does not survive a fork(). Start a "
            "program "
            "instead (exec, posix_spawn), or fork before anything is evaluated; KILN_DEVICE=cpu evaluates in children, "
            "too.");
    }
};

constinit process::immortal<forked_device> in_a_child;
constinit device* held_device = nullptr;

const process::fork_participant held_choice{process::fork_order::device, [] { choosing.lock(); },
                                            [] { choosing.unlock(); },
                                            [] {
                                                device* const chosen = detail::chosen_device.load();
                                                if (chosen && chosen->target().kind == plan::frame::cuda)
                                                    detail::chosen_device.store(&in_a_child());
                                                detail::recorder = nullptr;
                                                choosing.unlock();
                                            }};
const process::fork_participant held_memory{process::fork_order::memory,
                                            [] {
                                                held_device = detail::chosen_device.load();
                                                if (held_device) held_device->before_fork();
                                            },
                                            [] {
                                                if (held_device) held_device->after_fork();
                                            }};

}  // namespace

device& detail::choose_device() {
    const std::lock_guard lock(choosing);
    if (device* const chosen = chosen_device.load(std::memory_order_acquire)) return *chosen;
    const std::string wanted = jit_cache::trust::environment("KILN_DEVICE");
    // Leaked: arrays of static storage may die after everything else.
    device* const made = make_device(wanted).release();
    // The store is opened here, beside what a device takes, and not in somebody's first call (65 us there, H200, 2026-11).
    static_cast<void>(kernel_store().peek(jit_cache::key().add("source", "")));
    call_tag.store(tag_of(*made), std::memory_order_relaxed);
    chosen_device.store(made, std::memory_order_release);
    return *made;
}

void set_current_device(std::unique_ptr<device> other) {
    detail::generation.fetch_add(1);
    if (other) detail::call_tag.store(tag_of(*other), std::memory_order_relaxed);
    delete detail::chosen_device.exchange(other.release());
}

}  // namespace kiln::backend
