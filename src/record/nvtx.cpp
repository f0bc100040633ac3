#include <record/nvtx.hpp>

#if KILN_HAS_CUDA && __has_include(<nvtx3/nvToolsExt.h>)
#include <jit_cache/trust.hpp>

#include <nvtx3/nvToolsExt.h>

namespace kiln::record::nvtx {

namespace {

nvtxDomainHandle_t domain() noexcept {
    static const nvtxDomainHandle_t made = nvtxDomainCreateA("kiln");
    return made;
}

}  // namespace

bool is_heard() noexcept {
    // NVTX loads the library that the variable names.
    static const bool heard = !jit_cache::trust::environment("NVTX_INJECTION64_PATH").empty();
    return heard;
}

void push(const char* name) noexcept {
    nvtxEventAttributes_t range{};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = name;
    nvtxDomainRangePushEx(domain(), &range);
}

void pop() noexcept { nvtxDomainRangePop(domain()); }

}  // namespace kiln::record::nvtx

#else

namespace kiln::record::nvtx {

bool is_heard() noexcept { return false; }
void push(const char*) noexcept {}
void pop() noexcept {}

}  // namespace kiln::record::nvtx

#endif
