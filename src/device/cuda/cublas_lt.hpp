// kiln/device/cuda/cublas_lt: products of matrices by cuBLASLt, which is opened when somebody first asks for one (options.library).
// in: matrices in memory   out: their product   knows nothing of: expressions
#pragma once

#if KILN_HAS_CUDA

#include <device/cuda/driver.hpp>
#include <stage/library_products.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace kiln::backend {

/// One GPU's. Every call needs its context to be the current one.
class cublas_lt {
public:
    cublas_lt();
    ~cublas_lt();
    cublas_lt(const cublas_lt&) = delete;
    cublas_lt& operator=(const cublas_lt&) = delete;

    /// Whether the library is there, for programs of this CUDA, and has a way to make this product. The first question opens it:
    /// hundreds of milliseconds.
    [[nodiscard]] bool can(const stage::product& of);

    /// Empty, or what went wrong. Asynchronous. Of what it said that it can.
    std::string multiply(const stage::product& of, void* result, const void* left, const void* right, void* workspace,
                         std::size_t workspace_bytes, CUstream stream);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace kiln::backend

#endif
