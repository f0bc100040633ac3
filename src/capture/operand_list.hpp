// kiln/capture/operand_list: the operands of a node or step, by number; -1 where there is none.
#pragma once

#include <kiln/expression.hpp>

#include <cstdint>
#include <initializer_list>

namespace kiln::inline v0_1::detail {

class operand_list {
public:
    constexpr operand_list() = default;
    /// The rest is -1, where an array of int would say 0, which is a value.
    constexpr operand_list(std::initializer_list<std::int32_t> first) {
        int i = 0;
        for (const std::int32_t each : first) numbers_[i++] = each;
    }

    constexpr std::int32_t& operator[](int i) { return numbers_[i]; }
    constexpr const std::int32_t& operator[](int i) const { return numbers_[i]; }
    constexpr std::int32_t* begin() { return numbers_; }
    constexpr std::int32_t* end() { return numbers_ + max_operands; }
    [[nodiscard]] constexpr const std::int32_t* begin() const { return numbers_; }
    [[nodiscard]] constexpr const std::int32_t* end() const { return numbers_ + max_operands; }

    friend bool operator==(const operand_list&, const operand_list&) = default;

private:
    std::int32_t numbers_[max_operands] = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace kiln::inline v0_1::detail
