#include <plan/nest/dynamic_shared.hpp>

namespace kiln::plan::nest {

int dynamic_shared_begin(const tree& in, std::size_t of) {
    int out = 0;
    for (std::size_t i = 0; i < of; ++i)
        if (in.memories[i].is_dynamic) out = dynamic_shared_end(out, in.memories[i].is, in.memories[i].elements);
    return out;
}

}  // namespace kiln::plan::nest
