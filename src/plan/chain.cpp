#include <plan/chain.hpp>

#include <algorithm>
#include <vector>

namespace kiln::plan {

namespace {

// Steps one after the other, of three or four cycles each. A core looks 100 to 200 steps ahead.
constexpr int least_steps = 12;

/// What takes longer than a sum is not made faster by more of it at once, and integers are done in a cycle.
bool is_link(const lower::step& of) {
    if (of.operands != element_type::float32 && of.operands != element_type::float64) return false;
    switch (of.code) {
        case operation::add:
        case operation::sub:
        case operation::mul:
        case operation::square:
        case operation::fma: return true;
        default: return false;
    }
}

}  // namespace

bool has_long_chain(const lower::program& program, const kernel& of) {
    std::vector<int> steps_before(static_cast<std::size_t>(program.step_value(of.last_step)), 0);
    int longest = 0;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        int& mine = steps_before[static_cast<std::size_t>(program.step_value(i))];
        for (int a = 0; a < each.arity; ++a)
            mine = std::max(mine, steps_before[static_cast<std::size_t>(each.args[a])]);
        mine += is_link(each);
        longest = std::max(longest, mine);
    }
    // Beside a step of the chain there is less than half of another: of two side by side (Lotka and Volterra's, by Runge and Kutta) eight
    // vectors have no registers.
    const int all = of.last_step - of.first_step;
    return longest >= least_steps && 3 * longest >= 2 * all;
}

}  // namespace kiln::plan
