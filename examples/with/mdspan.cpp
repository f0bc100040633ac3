// An mdspan, here CUDA's own (std::mdspan is the same where the library has it): columns of a matrix that is stored by rows.
#include <kiln/kiln.hpp>

#include <cuda/std/mdspan>

#include <vector>

namespace k = kiln;

int main() {
    std::vector<double> memory(12, 2.0);
    using extents = cuda::std::extents<int, 4, 3>;
    const cuda::std::mdspan<double, extents, cuda::std::layout_left> columns(memory.data(), extents());
    k::wrap(columns) = k::cast<double>(k::reshape(k::arange<int>(12), {4, 3}));
    k::synchronize();
    return memory[1] == 3 && memory[4] == 1 && k::sum(k::wrap(columns)).item() == 66 ? 0 : 1;
}
