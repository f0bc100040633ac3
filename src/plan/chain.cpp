#include <plan/chain.hpp>

#include <algorithm>
#include <vector>

namespace kiln::plan {

namespace {

// Steps one after the other, of three or four cycles each. A core looks 100 to 200 steps ahead.
constexpr int least_steps = 12;

// What a core looks ahead at: 320 instructions (Zen 4), 512 (Golden Cove); a step is one or two.
constexpr int most_steps_in_window = 128;

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

/// A comparison's result is waited for as a sum's is, where it chooses what the next step takes.
bool is_link_or_comparison(const lower::step& of) {
    return is_link(of) || ((of.operands == element_type::float32 || of.operands == element_type::float64) &&
                           of.result == element_type::boolean);
}

int longest_chain(const lower::program& program, const kernel& of, bool (*counts)(const lower::step&)) {
    std::vector<int> steps_before(static_cast<std::size_t>(program.step_value(of.last_step)), 0);
    int longest = 0;
    for (int i = of.first_step; i < of.last_step; ++i) {
        const lower::step& each = program.steps[static_cast<std::size_t>(i)];
        int& mine = steps_before[static_cast<std::size_t>(program.step_value(i))];
        for (int a = 0; a < each.arity; ++a)
            mine = std::max(mine, steps_before[static_cast<std::size_t>(each.args[a])]);
        mine += counts(each);
        longest = std::max(longest, mine);
    }
    return longest;
}

}  // namespace

bool has_long_chain(const lower::program& program, const kernel& of) {
    const int longest = longest_chain(program, of, is_link);
    // Beside a step of the chain there is less than half of another: of two side by side (Lotka and Volterra's, by Runge and Kutta) eight
    // vectors have no registers.
    const int all = of.last_step - of.first_step;
    return longest >= least_steps && 3 * longest >= 2 * all;
}

bool outlasts_window(const lower::program& program, const kernel& of) {
    // A link takes three or four cycles, in which a core does four steps of 256 bits.
    const int all = of.last_step - of.first_step;
    return all > most_steps_in_window && 5 * longest_chain(program, of, is_link_or_comparison) >= all;
}

}  // namespace kiln::plan
