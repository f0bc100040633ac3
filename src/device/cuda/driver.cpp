// kiln/device/cuda/driver: finding libcuda and resolving the table.
#include <device/cuda/driver.hpp>

#if KILN_HAS_CUDA

#include <kiln/error.hpp>
#include <process/fork.hpp>
#include <process/open_library.hpp>

#include <atomic>

#include <dlfcn.h>
#include <link.h>

namespace kiln::backend {

constinit process::until_exit driver_calls([] { driver_calls.exit_has_begun(); },
                                           process::until_exit::ended_library::refuses);

namespace {

// The loader's own search comes first (LD_LIBRARY_PATH, ld.so.cache). WSL and NVIDIA's containers keep the driver in
// folders that it does not always search. libcuda.so last: a toolkit's link-time file has that name and no driver.
constexpr const char* libraries[] = {
    "libcuda.so.1",
    "/usr/lib/wsl/lib/libcuda.so.1",
    "/usr/local/nvidia/lib64/libcuda.so.1",
    "libcuda.so",
};

// Through a second macro, so that cuda.h's names are expanded before they become text.
#define KILN_TEXT(name) #name
#define KILN_SYMBOL(name) KILN_TEXT(name)

/// fork_count() when kiln opened the driver; -1 before.
constinit std::atomic<std::int64_t> opened_after_forks{-1};

constexpr const char* advice = " Install the NVIDIA driver, or set KILN_DEVICE=cpu.";

struct attempt {
    driver api;
    std::string failure;
};

void* open_one(std::string& tried) {
    for (const char* name : libraries) {
        std::string why;
        if (void* library = process::open_library(name, why)) return library;
        tried += (tried.empty() ? "" : "; ") + why;
    }
    return nullptr;
}

std::string path_of(void* library) {
    link_map* map = nullptr;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name ? map->l_name : "libcuda.so.1";
}

attempt open_driver() {
    attempt result;
    std::string tried;
    void* library = open_one(tried);
    if (!library) {
        result.failure = "kiln: device: no CUDA driver: " + tried + "." + advice;
        return result;
    }
    driver& api = result.api;
    api.path = path_of(library);
    std::string missing;
#define KILN_EACH(name)                                                                          \
    api.name = reinterpret_cast<decltype(api.name)::pointer>(dlsym(library, KILN_SYMBOL(name))); \
    if (!api.name) missing += " " KILN_SYMBOL(name);
    KILN_DRIVER_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
    if (!missing.empty()) {
        result.failure = "kiln: device: the CUDA driver " + api.path +
                         " is too old (11.2 has all that kiln uses); it has no" + missing + "." + advice;
        return result;
    }
    bool has_all = true;
#define KILN_EACH(name)                                                                          \
    api.name = reinterpret_cast<decltype(api.name)::pointer>(dlsym(library, KILN_SYMBOL(name))); \
    has_all = has_all && api.name;
#define KILN_NONE(name) api.name = nullptr;
    KILN_DRIVER_GRAPH_FUNCTIONS(KILN_EACH)
    if (!has_all) {
        KILN_DRIVER_GRAPH_FUNCTIONS(KILN_NONE)
    }
    KILN_DRIVER_OVERLAP_FUNCTIONS(KILN_EACH)
    if (!has_all) {
        KILN_DRIVER_OVERLAP_FUNCTIONS(KILN_NONE)
    }
#undef KILN_NONE
#undef KILN_EACH
    opened_after_forks.store(process::fork_count(), std::memory_order_release);
    const CUresult started = api.cuInit(0);
    if (started == CUDA_SUCCESS) {
        check(api, api.cuDriverGetVersion(&api.version), "kiln: device: ask for the driver's version");
        return result;
    }
    // A driver knows its version before it starts.
    const bool is_driver = api.cuDriverGetVersion(&api.version) == CUDA_SUCCESS;
    result.failure = "kiln: device: " + api.path;
    if (!is_driver)
        result.failure += " is no CUDA driver, only a toolkit's file for linking; LD_LIBRARY_PATH may put it first";
    else result.failure += " (CUDA " + api.version_text() + ") did not start: " + error_text(api, started);
    result.failure += started == CUDA_ERROR_NO_DEVICE
                          ? ". It sees no GPU; CUDA_VISIBLE_DEVICES may hide one. Without one, set KILN_DEVICE=cpu."
                          : std::string(".") + advice;
    return result;
}

bool is_capture_error(CUresult result) {
    return result >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && result <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

}  // namespace

std::string driver::version_text() const {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

const driver& the_driver() {
    // Leaked: kernels and arrays with static storage are destroyed after whatever is destroyed here.
    static const attempt& result = *new attempt(open_driver());
    if (!result.failure.empty()) throw device_error(result.failure);
    return result.api;
}

const driver* driver_if_loaded() noexcept {
    const std::int64_t opened = opened_after_forks.load(std::memory_order_acquire);
    if (opened >= 0 && opened != process::fork_count()) return nullptr;
    if (opened < 0) {
        void* const loaded = dlopen(libraries[0], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!loaded) return nullptr;
        dlclose(loaded);  // whoever loaded it holds it
    }
    try {
        return &the_driver();
    } catch (...) {
        return nullptr;
    }
}

std::string error_text(const driver& api, CUresult result) {
    if (result == CUDA_ERROR_DEINITIALIZED) return "the program is ending, and the CUDA driver is no longer called";
    const char* name = nullptr;
    const char* text = nullptr;
    if (api.cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
        return "CUDA error " + std::to_string(static_cast<int>(result));
    if (api.cuGetErrorString(result, &text) != CUDA_SUCCESS || !text) return name;
    return std::string(name) + " (" + text + ")";
}

void throw_device_error(const driver& api, CUresult result, const char* doing, const std::string& detail) {
    std::string message = std::string(doing) + ": " + error_text(api, result) + detail;
    if (is_capture_error(result))
        message +=
            "; while a stream is captured kiln may only allocate and launch: evaluate the expression once on that "
            "stream, or prepare it, before the capture begins";
    throw device_error(message);
}

}  // namespace kiln::backend

#endif
