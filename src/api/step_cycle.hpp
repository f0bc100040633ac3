// kiln/api/step_cycle: the steps of a loop, told apart by where its arrays are before each. A step that reads A and writes B is
// another one than that which reads B and writes A; after enough of them the arrays are where they were, and the steps
// repeat.
// in: places   out: which step follows which   knows nothing of: arrays, devices
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

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

    /// Walks `count` steps from `at` on: one(step) for a step, many(rounds) for so many whole cycles at once: a power of two
    /// of them, `most_rounds` at most, so that there are few kinds.
    template <class One, class Many>
    void walk(int& at, std::int64_t count, std::int64_t most_rounds, One one, Many many) const {
        while (count > 0) {
            const std::int64_t rounds = at == first_ ? std::min(count / length(), most_rounds) : 0;
            if (rounds * length() > 1) {
                const auto together = std::bit_floor(static_cast<std::uint64_t>(rounds));
                many(static_cast<std::int64_t>(together));
                count -= static_cast<std::int64_t>(together) * length();
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

}  // namespace kiln::inline v0_1::detail
