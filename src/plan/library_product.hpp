// kiln/plan/library_product: what the launch of a library's product takes; the CPU's no workspace.
#pragma once

#include <plan/kernel_signature.hpp>

#include <cstdint>

namespace kiln::plan {

inline constexpr parameter product_signature[] = {
    {role::product_result}, {role::product_left}, {role::product_right}, {role::product_workspace}};

/// As much as cuBLAS has by itself on a GPU of compute capability 9.0. Source: cuBLAS, cublasSetWorkspace.
inline constexpr std::int64_t product_workspace_bytes = std::int64_t{32} << 20;

}  // namespace kiln::plan
