// cuFFT between two of kiln's kernels: what is made before it and of it are fused, and all of it runs on one stream.
#include <kiln/kiln.hpp>

#include <cufft.h>

#include <complex>

namespace k = kiln;

int main() {
    if (k::current_device().kind() != k::device_kind::cuda) return 77;  // skipped
    const k::stream ours;
    const k::scoped_stream here(ours);
    const int n = 4096;
    const k::array<std::complex<float>> x =
        k::cast<std::complex<float>>(k::sin(k::cast<float>(k::arange<int>(n)) * 0.01f));
    k::array<std::complex<float>> spectrum = x;

    cufftHandle plan = 0;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1);
    cufftSetStream(plan, static_cast<cudaStream_t>(ours.native()));
    auto* const in_place = reinterpret_cast<cufftComplex*>(spectrum.data());
    cufftExecC2C(plan, in_place, in_place, CUFFT_FORWARD);
    spectrum = spectrum / static_cast<float>(n);
    auto* const back = reinterpret_cast<cufftComplex*>(spectrum.data());
    cufftExecC2C(plan, back, back, CUFFT_INVERSE);
    const bool is_right = k::max(k::abs(spectrum - x)).item() < 1e-4f;
    cufftDestroy(plan);
    return is_right ? 0 : 1;
}
