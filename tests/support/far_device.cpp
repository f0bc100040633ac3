#include <support/far_device.hpp>
#include <support/queued_work.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/devices.hpp>
#include <device/recording/sequence.hpp>
#include <kiln/error.hpp>
#include <kiln/expression.hpp>
#include <plan/target.hpp>

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace tests {

namespace {

using namespace kiln;

constexpr int of_nobody = 0xff;  // bytes of memory that nobody has written, or that was given back: NaN as floats

/// Stays while launches of it wait, whoever has loaded it.
class far_kernel final : public backend::loaded_kernel {
public:
    explicit far_kernel(std::shared_ptr<backend::loaded_kernel> made)
        : backend::loaded_kernel(made->parameters()), made_(std::move(made)) {}
    [[nodiscard]] const std::shared_ptr<backend::loaded_kernel>& made() const noexcept { return made_; }

private:
    std::shared_ptr<backend::loaded_kernel> made_;
};

class far final : public backend::device {
public:
    [[nodiscard]] const plan::target& target() const noexcept override { return target_; }
    [[nodiscard]] device_info describe() const override {
        device_info out = cpu_->describe();
        out.name = "far, computed by the interpreter";
        return out;
    }

    std::byte* allocate(std::size_t bytes) override {
        if (bytes > most_at_once.load()) throw out_of_memory("kiln: far: no memory, as the test wants it");
        std::byte* const made = cpu_->allocate(bytes);
        std::memset(made, of_nobody, bytes);
        const std::int64_t live = live_bytes_ += static_cast<std::int64_t>(bytes);
        for (std::int64_t most = most_bytes.load(); live > most && !most_bytes.compare_exchange_weak(most, live);) {
        }
        return made;
    }
    [[nodiscard]] backend::memory_held memory() const override {
        return {static_cast<std::size_t>(live_bytes_.load()), cpu_->memory().spare_bytes};
    }
    void trim_memory() noexcept override {
        kernels_->run_all();
        cpu_->trim_memory();
    }
    /// As a pool that knows streams does: it is used by others when what was asked for before is done.
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t streams) noexcept override {
        live_bytes_ -= static_cast<std::int64_t>(bytes);
        kernels_->push([this, memory, bytes, streams] {
            std::memset(memory, of_nobody, bytes);
            cpu_->deallocate(memory, bytes, streams);
        });
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override {
        kernels_->run_all();
        cpu_->copy_from_host(to, from, bytes);
        bytes_in += static_cast<std::int64_t>(bytes);
    }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override {
        kernels_->run_all();
        cpu_->copy_to_host(to, from, bytes);
        bytes_out += static_cast<std::int64_t>(bytes);
    }
    bool lock_pages(void* memory, std::size_t bytes) override {
        const std::lock_guard held(mutex_);
        locked_[static_cast<const std::byte*>(memory)] = bytes;
        return true;
    }
    void unlock_pages(void* memory) noexcept override {
        const std::lock_guard held(mutex_);
        locked_.erase(static_cast<const std::byte*>(memory));
    }
    [[nodiscard]] int host_node() const override { return 0; }
    std::unique_ptr<backend::copy_lanes> make_lanes() override {
        return make_queued_lanes(
            kernels_, copies,
            [this](const void* memory, std::size_t bytes) {
                return is_locked(static_cast<const std::byte*>(memory), bytes);
            },
            [this](backend::lane on, std::size_t bytes) {
                (on == backend::lane::in ? bytes_in : bytes_out) += static_cast<std::int64_t>(bytes);
            });
    }

    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override {}
    void order_after(int, int) override {}
    void synchronize() override { kernels_->run_all(); }
    [[nodiscard]] compile::toolchain* toolchain() noexcept override { return nullptr; }
    std::unique_ptr<backend::loaded_kernel> load(const std::string&, const std::string&, const lower::program&,
                                                 const plan::kernel&) override {
        return nullptr;
    }
    std::unique_ptr<backend::loaded_kernel> interpret(const lower::program& program,
                                                      const plan::kernel& kernel) override {
        ++kernels;
        return std::make_unique<far_kernel>(cpu_->interpret(program, kernel));
    }
    void launch(const backend::loaded_kernel& kernel, const backend::launch_arguments& arguments) override {
        if (launches_left.load() == 0) throw device_error("kiln: far: a launch fails, as the test wants it");
        if (launches_left.load() > 0) --launches_left;
        // A step over arrays may have no kernel, and states of its caller's.
        const auto* const mine = dynamic_cast<const far_kernel*>(&kernel);
        if (!mine || arguments.step) {
            kernels_->run_all();
            cpu_->launch(mine ? *mine->made() : kernel, arguments);
            return;
        }
        auto waiting = std::make_shared<backend::recorded_launch>(*mine->made(), arguments);
        kernels_->push(
            [this, waiting, stays = mine->made()] { cpu_->launch(waiting->kernel(), waiting->arguments(0)); });
    }

    std::atomic<std::int64_t> most_bytes{0};
    std::atomic<std::int64_t> bytes_in{0};
    std::atomic<std::int64_t> bytes_out{0};
    std::atomic<std::int64_t> kernels{0};
    std::atomic<std::size_t> most_at_once{~std::size_t{0}};
    std::atomic<std::int64_t> launches_left{-1};  // then one throws; -1: none does
    pace copies = pace::late;

private:
    bool is_locked(const std::byte* memory, std::size_t bytes) {
        const std::lock_guard held(mutex_);
        auto after = locked_.upper_bound(memory);
        if (after == locked_.begin()) return false;
        --after;
        return memory + bytes <= after->first + after->second;
    }

    std::unique_ptr<backend::device> cpu_ = backend::make_cpu_device();
    std::shared_ptr<work_queue> kernels_ = std::make_shared<work_queue>();
    std::atomic<std::int64_t> live_bytes_{0};
    std::mutex mutex_;
    std::map<const std::byte*, std::size_t> locked_;
    const plan::target target_ = [] {
        plan::target out = plan::cuda_target;
        out.reduces = false;
        out.persistent_rows = false;
        out.known_shifts = false;
        return out;
    }();
};

struct added {
    far* made;
    kiln::detail::known_device* known;
};

/// Stays: arrays of static storage may be on it.
const added& the_one() {
    static const added one = [] {
        auto made = std::make_unique<far>();
        far* const here = made.get();
        return added{here, &backend::add_device(std::move(made), device_kind::cpu, /*index=*/3)};
    }();
    return one;
}

}  // namespace

kiln::device far_device() { return kiln::detail::access::make<kiln::device>(the_one().known); }
std::int64_t most_bytes_on_far_device() { return the_one().made->most_bytes.exchange(0); }
std::int64_t bytes_to_far_device() { return the_one().made->bytes_in.exchange(0); }
std::int64_t bytes_from_far_device() { return the_one().made->bytes_out.exchange(0); }
std::int64_t kernels_of_far_device() { return the_one().made->kernels.load(); }

scoped_pace::scoped_pace(pace copies) { the_one().made->copies = copies; }
scoped_pace::~scoped_pace() { the_one().made->copies = pace::late; }

failing_far_device::failing_far_device(std::size_t most_bytes, std::int64_t most_launches) {
    the_one().made->most_at_once = most_bytes;
    the_one().made->launches_left = most_launches;
}
failing_far_device::~failing_far_device() {
    the_one().made->most_at_once = ~std::size_t{0};
    the_one().made->launches_left = -1;
}

}  // namespace tests
