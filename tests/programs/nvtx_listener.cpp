// A tool that listens to NVTX, as Nsight Systems does: what NVTX_INJECTION64_PATH names is loaded by the program that has ranges.
// out: a line for each range on standard error: "nvtx kiln > evaluation > plan", at its end "nvtx kiln <".
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

struct domain {
    std::string name;
};
thread_local std::vector<std::string> open_ranges;

std::string path_of(nvtxDomainHandle_t on) {
    std::string path = on ? reinterpret_cast<const domain*>(on)->name : "no domain";
    for (const std::string& each : open_ranges) path += " > " + each;
    return path;
}

nvtxDomainHandle_t NVTX_API create_domain(const char* name) {
    return reinterpret_cast<nvtxDomainHandle_t>(new domain{name});
}

int NVTX_API push(nvtxDomainHandle_t on, const nvtxEventAttributes_t* range) {
    const bool is_text = range->size == NVTX_EVENT_ATTRIB_STRUCT_SIZE && range->messageType == NVTX_MESSAGE_TYPE_ASCII;
    open_ranges.emplace_back(is_text ? range->message.ascii : "no text");
    std::fprintf(stderr, "nvtx %s\n", path_of(on).c_str());
    return static_cast<int>(open_ranges.size()) - 1;
}

int NVTX_API pop(nvtxDomainHandle_t on) {
    if (open_ranges.empty()) return std::fprintf(stderr, "nvtx: popped what was not pushed\n");
    open_ranges.pop_back();
    std::fprintf(stderr, "nvtx %s <\n", path_of(on).c_str());
    return static_cast<int>(open_ranges.size());
}

template <class Function>
void put(NvtxFunctionTable table, unsigned int size, NvtxCallbackIdCore2 which, Function function) {
    if (static_cast<unsigned int>(which) < size) *table[which] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
    const auto* const calls = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned int size = 0;
    if (!calls || !calls->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) return 0;
    put(table, size, NVTX_CBID_CORE2_DomainCreateA, create_domain);
    put(table, size, NVTX_CBID_CORE2_DomainRangePushEx, push);
    put(table, size, NVTX_CBID_CORE2_DomainRangePop, pop);
    return 1;
}
