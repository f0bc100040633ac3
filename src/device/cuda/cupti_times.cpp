#include <device/cuda/cupti_times.hpp>

#if KILN_HAS_CUDA && __has_include(<cupti.h>)

#include <jit_cache/trust.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <record/stopwatch.hpp>

#include <cupti.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace kiln::backend {

namespace {

namespace trust = jit_cache::trust;

#define KILN_CUPTI_FUNCTIONS(each)                                                                                   \
    each(cuptiActivityRegisterCallbacks) each(cuptiActivityEnable) each(cuptiActivityDisable)                        \
    each(cuptiActivityFlushAll) each(cuptiActivityGetNextRecord) each(cuptiActivityPushExternalCorrelationId)        \
    each(cuptiActivityPopExternalCorrelationId) each(cuptiGetTimestamp)

constexpr CUpti_ExternalCorrelationKind our_marks = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

struct span {
    std::uint64_t begin = ~std::uint64_t{0};
    std::uint64_t end = 0;
};

class library {
public:
    library() {
        const std::string asked = trust::environment("KILN_CUPTI");
        if (asked == "0") return;
        open(asked);
    }

#define KILN_EACH(name) decltype(&::name) name = nullptr;
    KILN_CUPTI_FUNCTIONS(KILN_EACH)
#undef KILN_EACH

    [[nodiscard]] bool is_there() const noexcept { return is_there_; }

    std::mutex mutex;
    int users = 0;
    bool refuses = false;
    // By CUPTI's number of a launch; its records and our marks come in any order.
    std::unordered_map<std::uint32_t, span> launches;
    std::unordered_map<std::uint64_t, std::uint32_t> launch_of_mark;
    std::atomic<std::uint64_t> last_mark{0};
    std::int64_t to_host_clock_ns = 0;

private:
    static std::string soname() { return "libcupti.so." + std::to_string(CUDA_VERSION / 1000); }

    void open(const std::string& asked) {
        // Whoever has it loaded uses it, and it serves one.
        if (void* const loaded = ::dlopen(soname().c_str(), RTLD_NOW | RTLD_NOLOAD)) {
            ::dlclose(loaded);
            return;
        }
        if (!trust::environment("CUDA_INJECTION64_PATH").empty()) return;
        void* handle = nullptr;
        if (asked.starts_with('/')) {
            handle = open_file(asked);
        } else {
            for (const char* const home : {"CUDA_HOME", "CUDA_PATH"}) {
                const std::string folder = trust::environment(home);
                for (const char* const below : {"/lib64/", "/lib/", "/extras/CUPTI/lib64/"})
                    if (!handle && folder.starts_with('/')) handle = open_file(folder + below + soname());
            }
            for (const char* const below : {"lib64/", "lib/", "extras/CUPTI/lib64/"})
                if (!handle) handle = open_file(std::string("/usr/local/cuda/") + below + soname());
        }
        if (!handle) return;
        bool has_all = true;
#define KILN_EACH(name)                                                         \
    name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name));         \
    has_all = has_all && name;
        KILN_CUPTI_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        is_there_ = has_all;
    }

    static void* open_file(const std::string& path) {
        if (::access(path.c_str(), R_OK) != 0) return nullptr;
        if (const std::string why = trust::distrust_program(path, trust::chosen_by::search); !why.empty()) {
            process::warn(path + " is not loaded: " + why);
            return nullptr;
        }
        return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
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
            if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
                const auto* const mark = reinterpret_cast<const CUpti_ActivityExternalCorrelation*>(record);
                if (mark->externalKind == our_marks) mine.launch_of_mark[mark->externalId] = mark->correlationId;
            } else if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
                const auto* const kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
                span& seen = mine.launches[kernel->correlationId];
                seen.begin = std::min<std::uint64_t>(seen.begin, kernel->start);
                seen.end = std::max<std::uint64_t>(seen.end, kernel->end);
            }
        }
    }
    std::free(buffer);
}

}  // namespace

bool cupti_times::begin() {
    library& mine = cupti();
    if (!mine.is_there() || mine.refuses) return false;
    {
        const std::lock_guard held(mine.mutex);
        if (mine.users++ > 0) return true;
    }
    std::uint64_t now = 0;
    const bool is_on = mine.cuptiActivityRegisterCallbacks(give_buffer, take_buffer) == CUPTI_SUCCESS &&
                       mine.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) == CUPTI_SUCCESS &&
                       mine.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
                       mine.cuptiGetTimestamp(&now) == CUPTI_SUCCESS;
    const std::lock_guard held(mine.mutex);
    if (is_on) mine.to_host_clock_ns = record::now_ns() - static_cast<std::int64_t>(now);
    else {
        mine.refuses = true;
        --mine.users;
    }
    return is_on;
}

void cupti_times::end() {
    library& mine = cupti();
    {
        const std::lock_guard held(mine.mutex);
        if (mine.users == 0 || --mine.users > 0) return;
    }
    mine.cuptiActivityFlushAll(0);
    mine.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    mine.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    // Launches that nobody marked are other libraries'.
    const std::lock_guard held(mine.mutex);
    std::unordered_map<std::uint32_t, span> marked;
    for (const auto& [mark, launch] : mine.launch_of_mark)
        if (const auto seen = mine.launches.find(launch); seen != mine.launches.end()) marked.insert(*seen);
    mine.launches.swap(marked);
}

std::uint64_t cupti_times::push() {
    library& mine = cupti();
    const std::uint64_t mark = ++mine.last_mark;
    mine.cuptiActivityPushExternalCorrelationId(our_marks, mark);
    return mark;
}

void cupti_times::pop() {
    std::uint64_t last = 0;
    cupti().cuptiActivityPopExternalCorrelationId(our_marks, &last);
}

bool cupti_times::read(std::uint64_t mark, record::run_time& into) {
    library& mine = cupti();
    const std::lock_guard held(mine.mutex);
    const auto launch = mine.launch_of_mark.find(mark);
    if (launch == mine.launch_of_mark.end()) return false;
    const auto seen = mine.launches.find(launch->second);
    if (seen == mine.launches.end()) return false;
    into.begin_ns = static_cast<std::int64_t>(seen->second.begin) + mine.to_host_clock_ns;
    into.ns = static_cast<std::int64_t>(seen->second.end - seen->second.begin);
    return true;
}

void cupti_times::flush() { cupti().cuptiActivityFlushAll(0); }

void cupti_times::forget(std::uint64_t mark) noexcept {
    library& mine = cupti();
    const std::lock_guard held(mine.mutex);
    const auto launch = mine.launch_of_mark.find(mark);
    if (launch == mine.launch_of_mark.end()) return;
    mine.launches.erase(launch->second);
    mine.launch_of_mark.erase(launch);
}

}  // namespace kiln::backend

#else

namespace kiln::backend {

bool cupti_times::begin() { return false; }
void cupti_times::end() {}
std::uint64_t cupti_times::push() { return 0; }
void cupti_times::pop() {}
bool cupti_times::read(std::uint64_t, record::run_time&) { return false; }
void cupti_times::flush() {}
void cupti_times::forget(std::uint64_t) noexcept {}

}  // namespace kiln::backend

#endif
