// Which device the process runs on.
#include <launch/cpu_device.hpp>
#include <launch/cuda_device.hpp>
#include <launch/device.hpp>
#include <launch/kernel_store.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string_view>

namespace kiln::launch {

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

}  // namespace

device& detail::choose_device() {
    static std::mutex choosing;
    const std::lock_guard lock(choosing);
    if (device* const chosen = chosen_device.load(std::memory_order_acquire)) return *chosen;
    const char* const wanted = std::getenv("KILN_DEVICE");
    // Leaked: arrays of static storage may die after everything else.
    device* const made = make_device(wanted ? wanted : "").release();
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

}  // namespace kiln::launch
