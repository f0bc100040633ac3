// cuBLAS on kiln's arrays, on the stream that kiln's kernels run on: nothing waits, nothing is copied.
#include <kiln/kiln.hpp>

#include <cublas_v2.h>

namespace k = kiln;

int main() {
    if (k::current_device().kind() != k::device_kind::cuda) return 77;  // skipped
    const k::stream ours;
    const k::scoped_stream here(ours);
    const k::array<float> a = k::random::uniform<float>({300, 200}, 1);
    const k::array<float> x = k::random::uniform<float>({200}, 2);
    k::array<float> y = k::zeros<float>({300});

    cublasHandle_t blas = nullptr;
    cublasCreate(&blas);
    cublasSetStream(blas, static_cast<cudaStream_t>(ours.native()));
    const float one = 1;
    const float zero = 0;
    // Rows of kiln's are columns of cuBLAS's.
    cublasSgemv(blas, CUBLAS_OP_T, 200, 300, &one, a.data(), 200, x.data(), 1, &zero, y.data(), 1);
    const bool is_right = k::max(k::abs(y - k::sum(a * x, k::axis(1)))).item() < 1e-3f;
    cublasDestroy(blas);
    return is_right ? 0 : 1;
}
