// The nodes of a CUDA graph.
#include <device/cuda/cuda_graph.hpp>

#if KILN_HAS_CUDA

#include <device/cuda/cuda_kernel.hpp>

namespace kiln::backend {

namespace {

/// The driver copies the parameters' values.
CUDA_KERNEL_NODE_PARAMS node_of(recorded_launch& of) {
    const launch_arguments arguments = of.arguments(0);
    const auto& kernel = static_cast<const cuda_kernel&>(of.kernel());
    CUDA_KERNEL_NODE_PARAMS out{};
    out.func = kernel.function();
    out.sharedMemBytes = kernel.dynamic_shared_bytes();
    out.gridDimX = static_cast<unsigned>(arguments.block_count);
    out.gridDimY = out.gridDimZ = 1;
    out.blockDimX = static_cast<unsigned>(arguments.threads_per_block);
    out.blockDimY = out.blockDimZ = 1;
    out.kernelParams = arguments.parameters;
    return out;
}

}  // namespace

void kernel_chain::build() {
    check(api_, api_.cuGraphCreate(&graph_, 0), "kiln: device: make a graph");
    for (recorded_launch* const each : launches_) add(*each);
    check(api_, api_.cuGraphInstantiateWithFlags(&executable_, graph_, 0), "kiln: device: make a graph executable");
}

void kernel_chain::add(recorded_launch& next) {
    const CUDA_KERNEL_NODE_PARAMS node = node_of(next);
    const char* const doing = "kiln: device: add a kernel to a graph";
    CUgraphNode added = nullptr;
    const bool follows = !nodes_.empty();
    const bool waits_for_end = follows && !overlaps_;
    check(api_,
          api_.cuGraphAddKernelNode(&added, graph_, waits_for_end ? &nodes_.back() : nullptr, waits_for_end, &node),
          doing);
#if CUDA_VERSION >= 12030
    if (follows && overlaps_) {
        CUgraphEdgeData when{};
        when.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
        when.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        check(api_, api_.cuGraphAddDependencies_v2(graph_, &nodes_.back(), &added, &when, 1), doing);
    }
#endif
    nodes_.push_back(added);
}

void kernel_chain::follow() {
    const context_scope current(api_, context_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const CUDA_KERNEL_NODE_PARAMS node = node_of(*launches_[i]);
        check(api_, api_.cuGraphExecKernelNodeSetParams(executable_, nodes_[i], &node),
              "kiln: device: change a kernel of a graph");
    }
}

}  // namespace kiln::backend

#endif
