#include <device/cuda/cupti_times.hpp>

#if KILN_HAS_CUDA && __has_include(<cupti.h>)

#include <compile/find_library.hpp>
#include <jit_cache/trust.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <process/open_library.hpp>
#include <record/stopwatch.hpp>

#include <cupti.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>

namespace kiln::backend {

namespace {

namespace trust = jit_cache::trust;

// clang-format off
#define KILN_CUPTI_FUNCTIONS(each)                                                                                     \
    each(cuptiActivityRegisterCallbacks) each(cuptiActivityEnable) each(cuptiActivityDisable)                          \
    each(cuptiActivityFlushAll) each(cuptiActivityGetNextRecord) each(cuptiGetTimestamp)                               \
    each(cuptiSubscribe) each(cuptiUnsubscribe) each(cuptiEnableCallback)
// clang-format on

/// Of the driver's functions, those by which kiln launches.
constexpr CUpti_driver_api_trace_cbid_enum launches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                                         CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                                         CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch};

/// CUPTI's number of what the calling thread launched last.
thread_local constinit std::uint32_t last_launch_of_thread = 0;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

struct span {
    std::uint64_t begin = ~std::uint64_t{0};
    std::uint64_t end = 0;
};

class library {
public:
    library() {
        const std::string asked = trust::environment("KILN_CUPTI");
        if (asked == "0" || is_used_by_others()) return;
        if (asked.empty() || asked == "1") open(compile::find_cupti(major));
        else if (const std::string why = trust::distrust_program(asked, trust::chosen_by::name); why.empty())
            open(asked);
        else process::warn("KILN_CUPTI: " + asked + " is not loaded: " + why);
    }

#define KILN_EACH(name) decltype(&::name) name = nullptr;
    KILN_CUPTI_FUNCTIONS(KILN_EACH)
#undef KILN_EACH

    [[nodiscard]] bool is_there() const noexcept { return is_there_; }

    std::mutex mutex;
    int users = 0;
    bool refuses = false;
    CUpti_SubscriberHandle subscriber = nullptr;
    std::unordered_map<std::uint32_t, span> seen;  // by CUPTI's number of a launch
    std::int64_t to_host_clock_ns = 0;

private:
    static constexpr int major = CUDA_VERSION / 1000;

    /// CUPTI serves one tool. Profilers and sanitizers have the driver load it, or what does without it, into the programs that
    /// they look at.
    static bool is_used_by_others() {
        for (const char* const name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
            if (!trust::environment(name).empty()) return true;
        if (void* const loaded = ::dlopen(("libcupti.so." + std::to_string(major)).c_str(), RTLD_NOW | RTLD_NOLOAD)) {
            ::dlclose(loaded);
            return true;
        }
        return false;
    }

    void open(const std::string& path) {
        if (path.empty()) return;
        std::string why;
        void* const handle = process::open_library(path.c_str(), why);
        if (!handle) return;
        bool has_all = true;
#define KILN_EACH(name)                                                 \
    name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name)); \
    has_all = has_all && name;
        KILN_CUPTI_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        is_there_ = has_all;
    }

    bool is_there_ = false;
};
constinit process::immortal<library> cupti;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *most = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    library& mine = cupti();
    CUpti_Activity* record = nullptr;
    {
        const std::lock_guard held(mine.mutex);
        while (mine.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
            if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
            // Of a graph's launch there are many.
            const auto* const kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            span& one = mine.seen[kernel->correlationId];
            one.begin = std::min<std::uint64_t>(one.begin, kernel->start);
            one.end = std::max<std::uint64_t>(one.end, kernel->end);
        }
    }
    std::free(buffer);
}

void CUPTIAPI note_launch(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void* call) {
    const auto* const data = static_cast<const CUpti_CallbackData*>(call);
    if (data->callbackSite == CUPTI_API_ENTER) last_launch_of_thread = data->correlationId;
}

bool turn_on(library& mine) {
    std::uint64_t now = 0;
    if (mine.cuptiSubscribe(&mine.subscriber, note_launch, nullptr) != CUPTI_SUCCESS) return false;
    bool is_on = mine.cuptiActivityRegisterCallbacks(give_buffer, take_buffer) == CUPTI_SUCCESS &&
                 mine.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
                 mine.cuptiGetTimestamp(&now) == CUPTI_SUCCESS;
    for (const auto each : launches)
        is_on =
            is_on && mine.cuptiEnableCallback(1, mine.subscriber, CUPTI_CB_DOMAIN_DRIVER_API, each) == CUPTI_SUCCESS;
    if (is_on) mine.to_host_clock_ns = record::now_ns() - static_cast<std::int64_t>(now);
    else mine.cuptiUnsubscribe(mine.subscriber);
    return is_on;
}

}  // namespace

bool cupti_times::begin() {
    library& mine = cupti();
    if (!mine.is_there() || mine.refuses) return false;
    // Who observes devices, and calls this, is one thread at a time.
    if (mine.users++ > 0) return true;
    if (turn_on(mine)) return true;
    mine.refuses = true;
    --mine.users;
    return false;
}

void cupti_times::end() {
    library& mine = cupti();
    if (mine.users == 0 || --mine.users > 0) return;
    mine.cuptiActivityFlushAll(1);
    mine.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    mine.cuptiUnsubscribe(mine.subscriber);
}

std::uint32_t cupti_times::last_launch() noexcept { return last_launch_of_thread; }

bool cupti_times::read(std::uint32_t launch, record::run_time& into) {
    library& mine = cupti();
    const std::lock_guard held(mine.mutex);
    const auto found = mine.seen.find(launch);
    if (found == mine.seen.end()) return false;
    into.begin_ns = static_cast<std::int64_t>(found->second.begin) + mine.to_host_clock_ns;
    into.ns = static_cast<std::int64_t>(found->second.end - found->second.begin);
    return true;
}

void cupti_times::flush() { cupti().cuptiActivityFlushAll(1); }

void cupti_times::forget(std::uint32_t launch) noexcept {
    library& mine = cupti();
    const std::lock_guard held(mine.mutex);
    mine.seen.erase(launch);
}

}  // namespace kiln::backend

#else

namespace kiln::backend {

bool cupti_times::begin() { return false; }
void cupti_times::end() {}
std::uint32_t cupti_times::last_launch() noexcept { return 0; }
bool cupti_times::read(std::uint32_t, record::run_time&) { return false; }
void cupti_times::flush() {}
void cupti_times::forget(std::uint32_t) noexcept {}

}  // namespace kiln::backend

#endif
