#include <device/cpu/blas.hpp>

#include <jit_cache/trust.hpp>
#include <kiln/error.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <process/open_library.hpp>
#include <process/until_exit.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>

namespace kiln::backend::blas {

namespace {

namespace trust = jit_cache::trust;

extern process::until_exit calls;
// Its threads are gone after the library's own end.
constinit process::until_exit calls([] { calls.exit_has_begun(); }, process::until_exit::ended_library::misbehaves);

/// C = alpha op(A) op(B) + beta C, of matrices by columns. Source: BLAS, its interface for Fortran, which each has, with numbers of 32 bits.
template <class T>
using gemm = void (*)(const char* transposes_a, const char* transposes_b, const int* rows, const int* columns,
                      const int* terms, const T* alpha, const T* a, const int* stride_a, const T* b,
                      const int* stride_b, const T* beta, T* c, const int* stride_c);

/// Opened once for the process, and never closed.
class library {
public:
    library() {
        const std::string asked = trust::environment("KILN_BLAS");
        if (asked == "0") return;
        if (!asked.empty()) {
            std::string why = trust::distrust_program(asked, trust::chosen_by::name);
            if (!why.empty() || !opens(asked.c_str(), why))
                process::warn("KILN_BLAS: " + asked + " is not loaded: " + why);
            return;
        }
        // The fast ones first: the last may be whichever an administrator chose, or the reference.
        for (const char* const name : {"libopenblas.so.0", "libmkl_rt.so.2", "libblis.so.4", "libblas.so.3"})
            if (std::string why; opens(name, why)) return;
    }

    gemm<float> sgemm_ = nullptr;
    gemm<double> dgemm_ = nullptr;
    gemm<std::complex<float>> cgemm_ = nullptr;
    gemm<std::complex<double>> zgemm_ = nullptr;

    [[nodiscard]] bool is_there() const noexcept { return sgemm_ && dgemm_ && cgemm_ && zgemm_; }

private:
    bool opens(const char* name, std::string& why) {
        void* const handle = process::open_library(name, why);
        if (!handle) return false;
        find(handle, "sgemm_", sgemm_);
        find(handle, "dgemm_", dgemm_);
        find(handle, "cgemm_", cgemm_);
        find(handle, "zgemm_", zgemm_);
        if (!is_there()) why = "it has no sgemm_, dgemm_, cgemm_ and zgemm_";
        return is_there();
    }
    template <class Function>
    static void find(void* in, const char* name, Function& out) {
        out = reinterpret_cast<Function>(dlsym(in, name));
    }
};

library& the_library() {
    static constinit process::immortal<library> opened;
    return opened();
}

/// Row by row, a matrix is its transposed one by columns: so the transposed result is asked for, of the right matrix times the left one.
template <class T>
void multiply(gemm<T> by, const stage::product& of, std::byte* result, const std::byte* left, const std::byte* right) {
    const auto whole = [](std::int64_t number) { return static_cast<int>(number); };
    const auto transposes = [](const stage::product::matrix& matrix) { return matrix.is_by_columns ? "T" : "N"; };
    const int rows = whole(of.rows), columns = whole(of.columns), terms = whole(of.terms);
    const int stride_left = std::max(1, whole(of.left.stride)), stride_right = std::max(1, whole(of.right.stride));
    const T one = 1, zero = 0;
    for (std::int64_t i = 0; i < of.batch; ++i)
        by(transposes(of.right), transposes(of.left), &columns, &rows, &terms, &one,
           reinterpret_cast<const T*>(right) + i * of.right.batch_stride, &stride_right,
           reinterpret_cast<const T*>(left) + i * of.left.batch_stride, &stride_left, &zero,
           reinterpret_cast<T*>(result) + i * of.rows * of.columns, &columns);
}

}  // namespace

bool can(const stage::product& of) {
    // Products of 16-bit floats are none of a BLAS's.
    return bytes_of(of.type) >= 4 && the_library().is_there();
}

void multiply(const stage::product& of, std::byte* result, const std::byte* left, const std::byte* right) {
    const process::until_exit::call under_way(calls);
    if (!under_way) throw device_error("kiln: device: a product by a BLAS (options.library): the program is ending");
    const library& api = the_library();
    switch (of.type) {
        case element_type::float64: return multiply(api.dgemm_, of, result, left, right);
        case element_type::complex64: return multiply(api.cgemm_, of, result, left, right);
        case element_type::complex128: return multiply(api.zgemm_, of, result, left, right);
        default: return multiply(api.sgemm_, of, result, left, right);
    }
}

}  // namespace kiln::backend::blas
