#include <plan/policy/policies.hpp>

#include <plan/policy/elementwise.hpp>

namespace kiln::plan {

std::optional<nest::tree> nest_of(const lower::program& program, const kernel& of) {
    if (of.reduces() || of.persistent_rows) return std::nullopt;
    return elementwise_nest(program, of);
}

}  // namespace kiln::plan
