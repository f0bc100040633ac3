// Thrust and CUB on kiln's arrays, on the stream that kiln's kernels run on.
#include <kiln/kiln.hpp>

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <cub/device/device_reduce.cuh>

namespace k = kiln;

int main() {
    if (k::current_device().kind() != k::device_kind::cuda) return 77;  // skipped
    const k::stream ours;
    const k::scoped_stream here(ours);
    const auto stream = static_cast<cudaStream_t>(ours.native());
    k::array<float> x = k::random::uniform<float>({100'000}, 1);
    thrust::device_ptr<float> first(x.data());
    thrust::sort(thrust::cuda::par_nosync.on(stream), first, first + x.size());

    k::array<float> sum = k::zeros<float>({1});
    std::size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, x.data(), sum.data(), static_cast<int>(x.size()), stream);
    k::array<std::uint8_t> room = k::zeros<std::uint8_t>({static_cast<std::int64_t>(bytes)});
    cub::DeviceReduce::Sum(room.data(), bytes, x.data(), sum.data(), static_cast<int>(x.size()), stream);

    const bool is_sorted = k::all(x(k::range(1, k::range::open)) >= x(k::range(0, -1))).item();
    return is_sorted && k::abs(sum - k::sum(x)).item() < 1 ? 0 : 1;
}
