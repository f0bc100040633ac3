// kiln/emit/cuda_nest: a nest as CUDA C++, statement by statement.
// in: a nest   out: a kernel's parameters, its lines, and the definitions that they need   knows nothing of: which nest, and why
#pragma once

#include <emit/body.hpp>
#include <plan/nest/nest.hpp>

#include <string>

namespace kiln::emit {

struct cuda_nest {
    std::string definitions;  // of vectors, and of what threads exchange
    std::string parameters;   // "float* y0, const float* x0"
    std::string lines;        // indented once
};

cuda_nest print_cuda(const plan::nest::tree& of);

}  // namespace kiln::emit
