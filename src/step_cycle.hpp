// kiln/step_cycle: the steps of a loop, told apart by where its arrays are before each. A step that reads A and writes B is
// another one than that which reads B and writes A; after enough of them the arrays are where they were, and the steps
// repeat.
// in: places   out: which step follows which   knows nothing of: arrays, devices
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kiln::detail {

class step_cycle {
public:
    /// `before`: where each array is before the next step. True if some step begins so already: it is the next one, and
    /// no more are needed. Else the next one is new.
    bool closes(std::vector<int> before);

    /// Of each array, before a step.
    [[nodiscard]] const std::vector<int>& places(int step) const { return before_[static_cast<std::size_t>(step)]; }
    /// Steps that are repeated, from first() on.
    [[nodiscard]] int length() const noexcept { return static_cast<int>(before_.size()) - first_; }
    [[nodiscard]] int first() const noexcept { return first_; }
    [[nodiscard]] int after(int step) const noexcept {
        return step + 1 == static_cast<int>(before_.size()) ? first_ : step + 1;
    }

    /// Walks `count` steps from `at` on: one(step) for a step, many() for `rounds` whole cycles at once.
    template <class One, class Many>
    void walk(int& at, std::int64_t count, std::int64_t rounds, One one, Many many) const {
        const std::int64_t at_once = rounds * length();
        while (count > 0) {
            if (at == first_ && count >= at_once && at_once > 1) {
                many();
                count -= at_once;
            } else {
                one(at);
                at = after(at);
                --count;
            }
        }
    }

private:
    std::vector<std::vector<int>> before_;
    int first_ = 0;
};

}  // namespace kiln::detail
