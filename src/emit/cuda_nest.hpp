// kiln/emit/cuda_nest: a nest as CUDA C++, statement by statement.
// in: a nest   out: its kernel, and the definitions that it needs   knows nothing of: which nest, and why
#pragma once

#include <emit/body.hpp>
#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

struct cuda_nest {
    std::string definitions;  // of vectors
    std::string helpers;      // names of the pieces of helpers/ that the kernel calls
    std::string kernel;
};

cuda_nest print_cuda(const plan::nest::tree& of, const std::string& name);

}  // namespace kiln::emit
