// Memory of CUDA's runtime in kiln's expressions (also what a CUDA array interface points to), an event of its own, and a pool of the
// program's that kiln's arrays come from.
#include <kiln/kiln.hpp>

#include <cuda_runtime.h>

#include <memory>

namespace k = kiln;

namespace {

/// A pool that other libraries of the program may share.
class shared_pool final : public k::allocator {
public:
    shared_pool() {
        cudaMemPoolProps of_device{};
        of_device.allocType = cudaMemAllocationTypePinned;
        of_device.location = {cudaMemLocationTypeDevice, 0};
        cudaMemPoolCreate(&pool_, &of_device);
    }
    ~shared_pool() override { cudaMemPoolDestroy(pool_); }
    void* allocate(std::size_t bytes, void* stream) override {
        void* memory = nullptr;
        cudaMallocFromPoolAsync(&memory, bytes, pool_, static_cast<cudaStream_t>(stream));
        return memory;
    }
    void deallocate(void* memory, std::size_t, void* stream) noexcept override {
        cudaFreeAsync(memory, static_cast<cudaStream_t>(stream));
    }

private:
    cudaMemPool_t pool_ = nullptr;
};

}  // namespace

int main() {
    if (k::current_device().kind() != k::device_kind::cuda) return 77;  // skipped
    k::use_allocator(std::make_shared<shared_pool>());
    float* theirs = nullptr;
    cudaMalloc(&theirs, 1000 * sizeof(float));
    k::wrap(theirs, {10, 100}) = k::ones<float>({10, 100});
    cudaEvent_t written = nullptr;
    cudaEventCreate(&written);
    cudaEventRecord(written, nullptr);

    const k::stream ours;
    ours.wait_for(written);
    const k::scoped_stream here(ours);
    const float sum = k::sum(k::wrap(theirs, {10, 100}) * 2).item();
    k::use_allocator(nullptr);
    cudaEventDestroy(written);
    cudaFree(theirs);
    return sum == 2000 ? 0 : 1;
}
