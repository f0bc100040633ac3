// kiln/device/cuda/cuda_graph: recorded launches as one CUDA graph, made by adding kernels to it: nothing is captured.
// in: launches   out: what cuGraphLaunch takes   knows nothing of: streams, arrays
#pragma once

#include <device/cuda/driver.hpp>

#if KILN_HAS_CUDA

#include <device/recording/sequence.hpp>

#include <span>
#include <vector>

namespace kiln::backend {

/// A chain of kernels: one stream's order, whoever reads what. One that is destroyed while it runs is freed by the driver
/// when it is done.
class kernel_chain {
public:
    /// `overlaps`: each kernel may start while the one before it ends.
    kernel_chain(const driver& api, CUcontext context, bool overlaps, std::span<recorded_launch* const> launches)
        : api_(api), context_(context), overlaps_(overlaps), launches_(launches.begin(), launches.end()) {
        try {
            build();
        } catch (...) {
            destroy();
            throw;
        }
    }
    kernel_chain(const kernel_chain&) = delete;
    kernel_chain& operator=(const kernel_chain&) = delete;
    // At process exit the driver may be gone already, and says so.
    ~kernel_chain() {
        const context_scope current(api_, context_);
        destroy();
    }

    [[nodiscard]] CUgraphExec executable() const noexcept { return executable_; }

    /// Launches from now on have the parameters of now. Cheaper than a new one.
    void follow();

private:
    void build();
    void add(recorded_launch& next);
    void destroy() noexcept {
        if (executable_) api_.cuGraphExecDestroy(executable_);
        if (graph_) api_.cuGraphDestroy(graph_);
    }

    const driver& api_;
    CUcontext context_;
    bool overlaps_;
    std::vector<recorded_launch*> launches_;
    std::vector<CUgraphNode> nodes_;
    CUgraph graph_ = nullptr;  // its nodes name those of the executable one
    CUgraphExec executable_ = nullptr;
};

}  // namespace kiln::backend

#endif
