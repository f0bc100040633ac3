// Explanations as text.
#include <text/format.hpp>

#include <kiln/cost.hpp>

#include <iterator>

namespace kiln::inline v0_1 {

const char* to_string(kernel_origin origin) noexcept {
    switch (origin) {
        case kernel_origin::memory: return "in memory";
        case kernel_origin::disk: return "on disk";
        case kernel_origin::compile: return "to be compiled";
        case kernel_origin::interpreter: return "interpreted";
        case kernel_origin::library: return "in a library";
        case kernel_origin::built_in: return "built in";
    }
    return "";
}

namespace {

const char* what_was_missed(kernel_origin origin) noexcept {
    switch (origin) {
        case kernel_origin::compile: return "compiles";
        case kernel_origin::interpreter: return "is not on disk";
        default: return "compiled by this process";
    }
}

const char* what_holds_up(bound by) noexcept {
    switch (by) {
        case bound::launch: return "its launch: the host takes longer to ask for it";
        case bound::memory: return "memory";
        case bound::arithmetic: return "arithmetic";
        case bound::unknown: break;
    }
    return "";
}

const char* what_bounds(const chunk_explanation& chunks) noexcept {
    if (chunks.kernels_ns >= std::max(chunks.copy_in_ns, chunks.copy_out_ns)) return "kernels";
    return chunks.copy_in_ns >= chunks.copy_out_ns ? "the link in" : "the link out";
}

}  // namespace

std::string to_string(const explanation& plan) {
    std::string out = text::format("{} kernel{}, {} bytes of temporaries\n", plan.kernels.size(),
                                   plan.kernels.size() == 1 ? "" : "s", plan.temporary_bytes);
    if (const chunk_explanation& chunks = plan.chunks; chunks.count > 0) {
        out += chunks.axis < 0
                   ? text::format("in one piece{}{}", chunks.why_whole.empty() ? "" : ": ", chunks.why_whole)
                   : text::format("in {} chunk{} of {} positions along axis {}", chunks.count,
                                  chunks.count == 1 ? "" : "s", chunks.positions, chunks.axis);
        out += text::format("; {} bytes in, {} bytes of results, {} bytes of the device's memory\n", chunks.bytes_in,
                            chunks.bytes_out, chunks.device_bytes);
        if (chunks.copy_in_ns > 0 || chunks.copy_out_ns > 0)
            out += text::format(
                "predicted: {:.2f} us to copy in, {:.2f} of kernels, {:.2f} to copy out, {:.2f} of it hidden beside "
                "the "
                "rest; bound by {}\n",
                chunks.copy_in_ns * 1e-3, chunks.kernels_ns * 1e-3, chunks.copy_out_ns * 1e-3, chunks.hidden_ns * 1e-3,
                what_bounds(chunks));
    }
    for (const kernel_explanation& kernel : plan.kernels) {
        out += text::format("\n{}  {}\n    for {}, {}; reads {} bytes, writes {}; {} operations\n", kernel.name,
                            kernel.expression, kernel.target, to_string(kernel.origin), kernel.bytes_read,
                            kernel.bytes_written, kernel.operation_count);
        if (!kernel.why.empty()) out += text::format("    {} because {}\n", what_was_missed(kernel.origin), kernel.why);
        if (kernel.threads_per_block)
            out += text::format("    {} blocks of {} threads, {} elements each\n", kernel.block_count,
                                kernel.threads_per_block, kernel.elements_per_thread);
        if (kernel.predicted.ns > 0)
            out += text::format("    predicted: {:.2f} us, held up by {}\n", kernel.predicted.ns * 1e-3,
                                what_holds_up(kernel.predicted.by));
        if (kernel.measured_ns > 0) out += text::format("    measured: {:.2f} us\n", kernel.measured_ns * 1e-3);
        if (!kernel.cut.empty()) out += text::format("    cut: {}\n", kernel.cut);
        if (kernel.origin == kernel_origin::disk) out += text::format("    kiln-cache show {}\n", kernel.cache_key);
        if (!kernel.source.empty()) out += text::format("\n{}", kernel.source);
    }
    return out;
}

}  // namespace kiln::inline v0_1
