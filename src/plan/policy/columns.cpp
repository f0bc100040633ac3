// A thread has several neighbouring values, and takes every so many-th of their elements.
#include <plan/policy/reduction.hpp>

namespace kiln::plan {

namespace {

using nest::value;

class columns_policy : public reduction_policy {
public:
    using reduction_policy::reduction_policy;

private:
    void take_elements() override { rounds(threads_.first + threads_.lane); }
    value mine(nest::value_or_number k) override { return part(k); }
    value is_whole(value first) override { return first < threads_.end; }
};

}  // namespace

nest::tree columns_nest(const lower::program& program, const kernel& of) { return columns_policy(program, of).run(); }

}  // namespace kiln::plan
