#include <lower/order.hpp>

#include <algorithm>
#include <utility>

namespace kiln::lower {

void put_values_near_their_uses(program& of) {
    constexpr value_id not_yet = -1;
    const value_id first = of.first_step_value();
    const auto at = [first](value_id value) { return static_cast<std::size_t>(value - first); };
    std::vector<int> height(of.steps.size(), 0);  // steps on the longest way from what is read
    for (std::size_t i = 0; i < of.steps.size(); ++i)
        for (const value_id arg : of.steps[i].args)
            if (arg >= first) height[i] = std::max(height[i], height[at(arg)] + 1);

    std::vector<value_id> moved_to(of.steps.size(), not_yet);
    const auto renamed = [&](value_id value) { return value >= first ? moved_to[at(value)] : value; };
    std::vector<step> ordered;
    ordered.reserve(of.steps.size());
    std::vector<value_id> wanted;
    for (const value_id output : of.outputs) {
        if (output >= first) wanted.push_back(output);
        while (!wanted.empty()) {
            const value_id value = wanted.back();
            value_id next = not_yet;
            for (const value_id arg : of.steps[at(value)].args)
                if (arg >= first && moved_to[at(arg)] == not_yet &&
                    (next == not_yet || height[at(arg)] > height[at(next)]))
                    next = arg;
            if (next != not_yet) {
                wanted.push_back(next);
                continue;
            }
            wanted.pop_back();
            if (moved_to[at(value)] != not_yet) continue;
            moved_to[at(value)] = first + static_cast<value_id>(ordered.size());
            ordered.push_back(of.steps[at(value)]);
            for (value_id& arg : ordered.back().args) arg = renamed(arg);
        }
    }
    for (value_id& output : of.outputs) output = renamed(output);
    for (assumption& each : of.assumptions) each.value = renamed(each.value);
    of.steps = std::move(ordered);
}

}  // namespace kiln::lower
