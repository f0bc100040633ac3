// The nodes of a CUDA graph.
#include <launch/cuda_graph.hpp>

#if KILN_HAS_CUDA

#include <launch/cuda_kernel.hpp>

namespace kiln::launch {

namespace {

/// The driver copies the parameters' values.
CUDA_KERNEL_NODE_PARAMS node_of(recorded_launch& of) {
    const launch_arguments arguments = of.arguments(0);
    CUDA_KERNEL_NODE_PARAMS out{};
    out.func = static_cast<const cuda_kernel&>(of.kernel()).function();
    out.gridDimX = static_cast<unsigned>(arguments.block_count);
    out.gridDimY = out.gridDimZ = 1;
    out.blockDimX = static_cast<unsigned>(arguments.threads_per_block);
    out.blockDimY = out.blockDimZ = 1;
    out.kernelParams = arguments.parameters;
    return out;
}

}  // namespace

void kernel_chain::build() {
    check(api_, api_.cuGraphCreate(&graph_, 0), "device: make a graph");
    for (recorded_launch* const each : launches_) {
        const CUDA_KERNEL_NODE_PARAMS node = node_of(*each);
        CUgraphNode added = nullptr;
        check(api_,
              api_.cuGraphAddKernelNode(&added, graph_, nodes_.empty() ? nullptr : &nodes_.back(),
                                        nodes_.empty() ? 0 : 1, &node),
              "device: add a kernel to a graph");
        nodes_.push_back(added);
    }
    check(api_, api_.cuGraphInstantiateWithFlags(&executable_, graph_, 0), "device: make a graph executable");
}

void kernel_chain::follow() {
    const context_scope current(api_, context_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const CUDA_KERNEL_NODE_PARAMS node = node_of(*launches_[i]);
        check(api_, api_.cuGraphExecKernelNodeSetParams(executable_, nodes_[i], &node),
              "device: change a kernel of a graph");
    }
}

}  // namespace kiln::launch

#endif
