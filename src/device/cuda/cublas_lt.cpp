#include <device/cuda/cublas_lt.hpp>

#if KILN_HAS_CUDA

#if __has_include(<cublasLt.h>)

#include <compile/find_library.hpp>
#include <jit_cache/trust.hpp>
#include <plan/library_product.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <process/open_library.hpp>

#include <cublasLt.h>

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

namespace kiln::backend {

namespace {

namespace trust = jit_cache::trust;

// clang-format off
#define KILN_CUBLASLT_FUNCTIONS(each)                                                                                  \
    each(cublasLtCreate) each(cublasLtMatmul) each(cublasLtMatmulAlgoGetHeuristic)                                     \
    each(cublasLtMatmulDescCreate) each(cublasLtMatmulDescSetAttribute)                                                \
    each(cublasLtMatrixLayoutCreate) each(cublasLtMatrixLayoutSetAttribute)                                            \
    each(cublasLtMatmulPreferenceCreate) each(cublasLtMatmulPreferenceSetAttribute)                                    \
    each(cublasLtMatmulPreferenceDestroy) each(cublasLtGetStatusString)
// clang-format on

/// Opened once for the process, and never closed.
class library {
public:
    library() {
        const std::string asked = trust::environment("KILN_CUBLASLT");
        if (asked == "0") return;
        if (asked.empty()) open(compile::find_cublas_lt(CUBLAS_VER_MAJOR));
        else if (const std::string why = trust::distrust_program(asked, trust::chosen_by::name); why.empty())
            open(asked);
        else process::warn("KILN_CUBLASLT: " + asked + " is not loaded: " + why);
    }

#define KILN_EACH(name) decltype(&::name) name = nullptr;
    KILN_CUBLASLT_FUNCTIONS(KILN_EACH)
#undef KILN_EACH

    [[nodiscard]] bool is_there() const noexcept { return is_there_; }

private:
    void open(const std::string& path) {
        if (path.empty()) return;
        std::string why;
        void* const handle = process::open_library(path.c_str(), why);
        if (!handle) return process::warn("options.library: " + path + " is not loaded: " + why);
        bool has_all = true;
#define KILN_EACH(name) has_all = (name = reinterpret_cast<decltype(name)>(dlsym(handle, #name))) && has_all;
        KILN_CUBLASLT_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
        is_there_ = has_all;
    }

    bool is_there_ = false;
};

library& the_library() {
    static constinit process::immortal<library> opened;
    return opened([] { return new library; });
}

struct types {
    cudaDataType_t elements;
    cublasComputeType_t computes;
    cudaDataType_t scale;
};

types types_of(element_type type) {
    switch (type) {
        case element_type::float16: return {CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
        case element_type::bfloat16: return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
        case element_type::float64: return {CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F};
        case element_type::complex64: return {CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F};
        case element_type::complex128: return {CUDA_C_64F, CUBLAS_COMPUTE_64F, CUDA_C_64F};
        default: return {CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    }
}

std::uint32_t alignment_of(const void* address) {
    const auto bits = reinterpret_cast<std::uintptr_t>(address);
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(bits & -bits, 256));
}

/// Addresses' alignments: of the result, of the left matrix and of the right one.
using alignments = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// A product as the library is asked for it, which knows matrices by columns alone: the transposed result, of the right matrix times
/// the left one.
struct prepared {
    cublasLtMatmulDesc_t how = nullptr;
    cublasLtMatrixLayout_t left = nullptr;
    cublasLtMatrixLayout_t right = nullptr;
    cublasLtMatrixLayout_t result = nullptr;
    cublasLtMatmulAlgo_t algorithm = {};
    cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
};

class preparation {
public:
    preparation(const library& api, const stage::product& of) : api_(api), of_(of), as_(types_of(of.type)) {}

    prepared run(cublasLtHandle_t with, const alignments& aligned) {
        prepared out;
        check(api_.cublasLtMatmulDescCreate(&out.how, as_.computes, as_.scale));
        set_transposed(out.how, CUBLASLT_MATMUL_DESC_TRANSA, of_.right.is_by_columns);
        set_transposed(out.how, CUBLASLT_MATMUL_DESC_TRANSB, of_.left.is_by_columns);
        out.right = layout(of_.right, of_.terms, of_.columns);
        out.left = layout(of_.left, of_.rows, of_.terms);
        out.result = layout({false, of_.columns, of_.rows * of_.columns}, of_.rows, of_.columns);
        find_algorithm(out, with, aligned);
        out.status = status_;
        return out;
    }

private:
    void check(cublasStatus_t said) {
        if (status_ == CUBLAS_STATUS_SUCCESS) status_ = said;
    }

    void set_transposed(cublasLtMatmulDesc_t how, cublasLtMatmulDescAttributes_t which, bool is_transposed) {
        const cublasOperation_t operation = is_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
        check(api_.cublasLtMatmulDescSetAttribute(how, which, &operation, sizeof operation));
    }

    cublasLtMatrixLayout_t layout(const stage::product::matrix& of, std::int64_t rows, std::int64_t columns) {
        if (of.is_by_columns) std::swap(rows, columns);
        cublasLtMatrixLayout_t out = nullptr;
        check(api_.cublasLtMatrixLayoutCreate(&out, as_.elements, static_cast<std::uint64_t>(columns),
                                              static_cast<std::uint64_t>(rows), of.stride));
        if (of_.batch == 1 || !out) return out;
        const auto count = static_cast<std::int32_t>(of_.batch);
        check(api_.cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
        check(api_.cublasLtMatrixLayoutSetAttribute(out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &of.batch_stride,
                                                    sizeof of.batch_stride));
        return out;
    }

    void find_algorithm(prepared& into, cublasLtHandle_t with, const alignments& aligned) {
        cublasLtMatmulPreference_t wants = nullptr;
        check(api_.cublasLtMatmulPreferenceCreate(&wants));
        const auto set = [&](cublasLtMatmulPreferenceAttributes_t which, auto value) {
            check(api_.cublasLtMatmulPreferenceSetAttribute(wants, which, &value, sizeof value));
        };
        set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::uint64_t>(plan::product_workspace_bytes));
        const auto [result, left, right] = aligned;
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, right);
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, left);
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, result);
        set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, result);
        cublasLtMatmulHeuristicResult_t found = {};
        int count = 0;
        if (status_ == CUBLAS_STATUS_SUCCESS)
            check(api_.cublasLtMatmulAlgoGetHeuristic(with, into.how, into.right, into.left, into.result, into.result,
                                                      wants, 1, &found, &count));
        if (wants) api_.cublasLtMatmulPreferenceDestroy(wants);
        if (count == 0) check(CUBLAS_STATUS_NOT_SUPPORTED);
        into.algorithm = found.algo;
    }

    const library& api_;
    const stage::product& of_;
    const types as_;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
};

}  // namespace

struct cublas_lt::state {
    std::mutex mutex;
    cublasLtHandle_t handle = nullptr;
    bool was_asked = false;
    std::map<std::pair<stage::product, alignments>, prepared> known;

    /// Null where there is no library.
    const prepared* find(const stage::product& of, const alignments& aligned) {
        const library& api = the_library();
        const std::lock_guard lock(mutex);
        if (!was_asked && api.is_there() && api.cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS) handle = nullptr;
        was_asked = true;
        if (!handle) return nullptr;
        const auto [place, is_new] = known.try_emplace({of, aligned});
        if (is_new) place->second = preparation(api, of).run(handle, aligned);
        return &place->second;
    }
};

cublas_lt::cublas_lt() : state_(std::make_unique<state>()) {}
// Neither the handle nor what was prepared is given back: their context may be gone by then.
cublas_lt::~cublas_lt() = default;

bool cublas_lt::can(const stage::product& of) {
    const auto bytes = static_cast<std::uint32_t>(bytes_of(of.type));
    const prepared* const found = state_->find(of, {256, bytes, bytes});
    return found && found->status == CUBLAS_STATUS_SUCCESS;
}

std::string cublas_lt::multiply(const stage::product& of, void* result, const void* left, const void* right,
                                void* workspace, std::size_t workspace_bytes, CUstream stream) {
    const library& api = the_library();
    const prepared* const found = state_->find(of, {alignment_of(result), alignment_of(left), alignment_of(right)});
    if (!found) return "the library is gone";
    // Of any of the scale's types.
    static constexpr std::complex<double> one_double = 1;
    static constexpr std::complex<float> one_float = 1;
    static constexpr std::complex<double> zero = 0;
    const bool is_double = of.type == element_type::float64 || of.type == element_type::complex128;
    const void* const one = is_double ? static_cast<const void*>(&one_double) : &one_float;
    cublasStatus_t said = found->status;
    if (said == CUBLAS_STATUS_SUCCESS)
        said = api.cublasLtMatmul(state_->handle, found->how, one, right, found->right, left, found->left, &zero,
                                  result, found->result, result, found->result, &found->algorithm, workspace,
                                  workspace_bytes, stream);
    return said == CUBLAS_STATUS_SUCCESS ? std::string() : api.cublasLtGetStatusString(said);
}

}  // namespace kiln::backend

#else

namespace kiln::backend {

struct cublas_lt::state {};
cublas_lt::cublas_lt() = default;
cublas_lt::~cublas_lt() = default;
bool cublas_lt::can(const stage::product&) { return false; }
std::string cublas_lt::multiply(const stage::product&, void*, const void*, const void*, void*, std::size_t, CUstream) {
    return "kiln was built without cublasLt.h";
}

}  // namespace kiln::backend

#endif

#endif
