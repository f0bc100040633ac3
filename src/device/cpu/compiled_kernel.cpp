#include <device/cpu/compiled_kernel.hpp>

#include <device/cpu/compiled_reducer.hpp>
#include <device/cpu/cost.hpp>
#include <device/cpu/library.hpp>
#include <device/cpu/upper_halves.hpp>
#include <kiln/error.hpp>
#include <process/fork.hpp>

#include <sched.h>

#include <utility>

namespace kiln::backend {

namespace {

constexpr int unloading = -(1 << 30);

// What emit writes for the host frame.
using compiled_function = void (*)(void* const* parameters, long long begin, long long end, const void* const* library);

}  // namespace

struct compiled_kernel::code {
    std::unique_ptr<shared_object> object;  // holds the functions' code
    compiled_function function;
    std::vector<std::unique_ptr<host_reducer>> reducers;  // of each output; nullptr: one of the table's
};

compiled_kernel::compiled_kernel(std::string name, const lower::program& program, const plan::kernel& kernel)
    : cpu_kernel(program, kernel, grain_for(program, kernel, gear::compiled)), name_(std::move(name)) {
    if (kernel.mapping == plan::thread_mapping::tiles)
        tile_elements_ = std::int64_t{kernel.tile_side} * kernel.tile_side;
}

compiled_kernel::~compiled_kernel() {
    hold();
    if (const std::unique_ptr<code> last{code_.load(std::memory_order_acquire)})
        loaded_objects::close(std::move(last->object), *this);
}

shared_object::opening compiled_kernel::load(const std::string& binary) {
    shared_object::opening opened = loaded_objects::open(binary, *this);
    if (!opened.object) return opened;
    auto made = std::make_unique<code>();
    made->function = reinterpret_cast<compiled_function>(opened.object->symbol(name_));
    bool whole = made->function != nullptr;
    for (std::size_t i = 0; i < reduced().size(); ++i) {
        const bool is_user = reduced()[i].definition != 0;
        made->reducers.push_back(is_user ? find_reducer(*opened.object, name_, reduced()[i], i) : nullptr);
        whole = whole && (!is_user || made->reducers.back());
    }
    if (!whole) {
        loaded_objects::close(std::move(opened.object), *this);
        opened.how = shared_object::outcome::refused;
        opened.why = "it lacks the symbol " + name_;
        return opened;
    }
    made->object = std::move(opened.object);
    code_.store(made.release(), std::memory_order_release);
    return opened;
}

void compiled_kernel::load_again_from(binary_function binary) {
    if (std::exchange(binary_, std::move(binary))) return;
    end_use();
}

void compiled_kernel::hold() const noexcept {
    while (users_.fetch_add(1, std::memory_order_acquire) < 0) {
        users_.fetch_sub(1, std::memory_order_relaxed);
        ::sched_yield();
    }
}

void compiled_kernel::begin_use() const {
    hold();
    note_use();
    if (code_.load(std::memory_order_acquire)) [[likely]]
        return;
    try {
        load_again();
    } catch (...) {
        end_use();
        throw;
    }
}

void compiled_kernel::load_again() const {
    // By whoever comes first, and where that was a thread that a fork() left behind, by the next one.
    const std::uint32_t here = process::fork_count() + 1;
    for (std::uint32_t loading = loading_in_.load(std::memory_order_acquire);;) {
        if (code_.load(std::memory_order_acquire)) return;
        if (loading == here) {
            ::sched_yield();
            loading = loading_in_.load(std::memory_order_acquire);
        } else if (loading_in_.compare_exchange_weak(loading, here, std::memory_order_acq_rel)) {
            break;
        }
    }
    struct done {
        std::atomic<std::uint32_t>& loading;
        ~done() { loading.store(0, std::memory_order_release); }
    } const at_end{loading_in_};
    if (code_.load(std::memory_order_acquire)) return;
    const shared_object::opening opened = const_cast<compiled_kernel*>(this)->load(binary_());
    if (opened.how != shared_object::outcome::loaded)
        throw load_postponed("kiln: load: " + name_ + ", unloaded to make room for others: " + opened.why);
}

bool compiled_kernel::try_unload() noexcept {
    int idle = 0;
    if (!users_.compare_exchange_strong(idle, unloading, std::memory_order_acq_rel)) return false;
    delete code_.exchange(nullptr, std::memory_order_acq_rel);
    users_.fetch_sub(unloading, std::memory_order_release);
    return true;
}

void compiled_kernel::run(void* const* parameters, std::int64_t begin, std::int64_t end, stores how) const {
    code_.load(std::memory_order_relaxed)->function(parameters, begin, end, library_table(how));
    clear_upper_halves();
}

const host_reducer& compiled_kernel::reducer(std::size_t output) const {
    const code& mine = *code_.load(std::memory_order_relaxed);
    return mine.reducers[output] ? *mine.reducers[output] : cpu_kernel::reducer(output);
}

}  // namespace kiln::backend
