// The list of devices, the one that threads begin with, and what a fork() makes of them.
#include <device/devices.hpp>

#include <device/cpu/cpu_device.hpp>
#include <device/cuda/cuda_device.hpp>
#include <device/kernel_store.hpp>
#include <device/observed/observed_device.hpp>
#include <jit_cache/trust.hpp>
#include <plan/target.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace kiln::backend {

namespace {

constinit known_device the_cpu(device_kind::cpu, 0, /*number=*/1, plan::calls_of_host);

/// All but the CPU. Changed and walked under `choosing`; what is in it stays.
struct device_list {
    std::vector<known_device*> gpus;
    bool gpus_are_counted = false;
    std::vector<known_device*> added;
    std::uint32_t last_number = 1;
    // Of devices that a profile has seen: they stay, since a thread may be in one when the profile ends.
    std::map<known_device*, std::unique_ptr<observed_device>> observers;
    int observations = 0;
};
constinit process::immortal<device_list> others;
constinit std::mutex choosing;

void count_gpus(device_list& into) {
    if (into.gpus_are_counted) return;
    const int count = gpu_count();
    for (int i = 0; i < count; ++i) into.gpus.push_back(new known_device(device_kind::cuda, i, ++into.last_number, 0));
    into.gpus_are_counted = true;
}

known_device& gpu_at(device_list& list, int index) {
    count_gpus(list);
    if (index < 0 || static_cast<std::size_t>(index) >= list.gpus.size()) throw_no_gpu(index);
    return *list.gpus[static_cast<std::size_t>(index)];
}

/// "cpu", "cuda" or "cuda:N".
known_device& named(std::string_view wanted) {
    device_list& list = others();
    if (wanted.empty()) {
        count_gpus(list);
        return list.gpus.empty() ? the_cpu : *list.gpus.front();
    }
    if (wanted == "cpu") return the_cpu;
    if (wanted == "cuda") return gpu_at(list, 0);
    if (wanted.starts_with("cuda:")) {
        const std::string_view digits = wanted.substr(5);
        int index = -1;
        const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (trouble == std::errc{} && end == digits.data() + digits.size() && index >= 0) return gpu_at(list, index);
    }
    throw device_error(text::format("kiln: KILN_DEVICE={} is no device; it may be cpu, cuda or cuda:N", wanted));
}

bool is_of_machine(const device_list& list, const known_device& known) {
    if (&known == &the_cpu) return true;
    for (const known_device* const each : list.gpus)
        if (each == &known) return true;
    return false;
}

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
    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override { refuse(); }
    [[nodiscard]] user_streams* streams() noexcept override { return nullptr; }
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
            "kiln: device: this process is a fork() of one that uses a GPU, and CUDA does not survive a fork(). Start "
            "a "
            "program instead (exec, posix_spawn), or fork before anything is evaluated; the CPU evaluates in children, "
            "too: k::scoped_device(k::cpu), or KILN_DEVICE=cpu.");
    }
};

/// `choosing` is held.
template <class Visit>
void each_known(Visit visit) {
    visit(the_cpu);
    const device_list* const list = others.if_made();
    if (!list) return;
    for (known_device* const each : list->gpus) visit(*each);
    for (known_device* const each : list->added) visit(*each);
}
template <class Visit>
void each_started(Visit visit) {
    each_known([&](known_device& each) {
        if (device* const object = each.object.load()) visit(*object);
    });
}

/// What stands in the place of a device that runs: itself, or while it is observed its observer. `choosing` is held.
device* in_place_of(known_device& known, device& started) {
    device_list& list = others();
    if (list.observations == 0) return &started;
    std::unique_ptr<observed_device>& observer = list.observers[&known];
    if (!observer) observer = std::make_unique<observed_device>(started);
    observer->set_timers();
    return observer.get();
}

void refuse_gpus() {
    each_known([](known_device& each) {
        const device* const object = each.object.load();
        if (object ? reaches_host(*object) : each.kind != device_kind::cuda) return;
        auto* const refuses = new forked_device;
        refuses->be(each);
        each.object.store(refuses);
    });
    detail::recorder = nullptr;
    choosing.unlock();
}

const process::fork_participant held_list{process::fork_order::device, [] { choosing.lock(); },
                                          [] { choosing.unlock(); }, refuse_gpus};
const process::fork_participant held_scans{process::fork_order::scan_kernels,
                                           [] { each_started([](device& each) { each.scan_kernels().lock(); }); },
                                           [] { each_started([](device& each) { each.scan_kernels().unlock(); }); }};
const process::fork_participant held_kernels{process::fork_order::kernels,
                                             [] { each_started([](device& each) { each.kernels().lock(); }); },
                                             [] { each_started([](device& each) { each.kernels().unlock(); }); }};
const process::fork_participant held_memory{process::fork_order::memory,
                                            [] {
                                                each_started([](device& each) {
                                                    each.user().lock();
                                                    each.before_fork();
                                                });
                                            },
                                            [] {
                                                each_started([](device& each) {
                                                    each.after_fork();
                                                    each.user().unlock();
                                                });
                                            }};

}  // namespace

namespace detail {

constinit std::atomic<known_device*> usual_device{nullptr};
thread_local constinit known_device* thread_device = nullptr;
thread_local constinit device* recorder = nullptr;

known_device& choose_usual_device() {
    const std::lock_guard held(choosing);
    if (known_device* const chosen = usual_device.load(std::memory_order_acquire)) return *chosen;
    known_device& chosen = named(jit_cache::trust::environment("KILN_DEVICE"));
    usual_device.store(&chosen, std::memory_order_release);
    return chosen;
}

device& start(known_device& known) {
    const std::lock_guard held(choosing);
    if (device* const started = known.object.load(std::memory_order_acquire)) return *started;
    if (!is_of_machine(others(), known))
        throw device_error(text::format("kiln: device: {} is gone", kiln::detail::name_of(known)));
    std::unique_ptr<device> made = known.kind == device_kind::cpu ? make_cpu_device() : make_cuda_device(known.index);
    made->be(known);
    // The store is opened here, beside what a device takes, and not in somebody's first call (65 us there, H200,
    // 2026-11).
    static_cast<void>(kernel_store().peek(jit_cache::key().add("source", "")));
    // Leaked: arrays of static storage may die after everything else.
    device* const started = made.release();
    device* const there = in_place_of(known, *started);
    known.object.store(there, std::memory_order_release);
    return *there;
}

device& recorder_for(known_device& known) {
    known_device* const recorded = recorder->known();
    if (recorded == &known) return *recorder;
    throw device_error(text::format(
        "kiln: graph: the body computes on {}, and what is recorded is on {}, where its arrays are; name "
        "carried arrays of one device, and k::to(k::{}, x) what comes from another, before the graph is made",
        kiln::detail::name_of(known), kiln::detail::name_of(*recorded),
        recorded->kind == device_kind::cuda ? text::format("cuda({})", recorded->index) : "cpu"));
}

}  // namespace detail

std::vector<known_device*> all_devices() {
    const std::lock_guard held(choosing);
    count_gpus(others());
    std::vector<known_device*> out{&the_cpu};
    out.insert(out.end(), others().gpus.begin(), others().gpus.end());
    return out;
}

known_device& gpu_at(int index) {
    const std::lock_guard held(choosing);
    return gpu_at(others(), index);
}

void copy_between(device& to, std::byte* into, device& from, const std::byte* elements, std::size_t bytes) {
    if (to.copy_from_peer(into, from, elements, bytes)) return;
    if (reaches_host(to)) return from.copy_to_host(into, elements, bytes);
    if (reaches_host(from)) return to.copy_from_host(into, elements, bytes);
    std::vector<std::byte> between(bytes);
    from.copy_to_host(between.data(), elements, bytes);
    to.copy_from_host(into, between.data(), bytes);
}

memory_place place_of(const void* pointer) {
    const gpu_memory found = gpu_memory_at(pointer);
    if (found.is_managed) return {memory_place::side::both, nullptr};
    if (found.gpu < 0) return {memory_place::side::host, nullptr, found.is_pinned};
    return {memory_place::side::device, &gpu_at(found.gpu)};
}

known_device& add_device(std::unique_ptr<device> made, device_kind kind, int index) {
    const std::lock_guard held(choosing);
    device_list& list = others();
    auto* const added =
        new known_device(kind, index, ++list.last_number, reaches_host(*made) ? plan::calls_of_host : std::uint16_t{0});
    list.added.push_back(added);
    made->be(*added);
    added->object.store(in_place_of(*added, *made.release()), std::memory_order_release);
    return *added;
}

void remove_device(known_device& known) {
    const std::lock_guard held(choosing);
    device* const object = known.object.exchange(nullptr);
    if (!object) return;
    delete &behind_observer(*object);
    others().observers.erase(&known);
}

void begin_observation() {
    const std::lock_guard held(choosing);
    if (others().observations++ > 0) return;
    each_known([](known_device& each) {
        if (device* const object = each.object.load()) each.object.store(in_place_of(each, *object));
    });
}

void end_observation() {
    const std::lock_guard held(choosing);
    if (--others().observations > 0) return;
    each_known([](known_device& each) {
        device* const object = each.object.load();
        if (!object) return;
        each.object.store(&behind_observer(*object));
        object->stop_timers();
    });
}

void set_usual_device(known_device& known) { detail::usual_device.store(&known, std::memory_order_release); }

}  // namespace kiln::backend

namespace kiln::inline v0_1 {

constinit const device cpu = detail::access::make<device>(&backend::the_cpu);

}  // namespace kiln::inline v0_1
