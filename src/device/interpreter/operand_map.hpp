// kiln/device/interpreter/operand_map: where the elements of an operand are that is not contiguous: its plan with the
// numbers of one call's layout, and blocks of elements moved by it.
// in: a plan::operand, a layout   out: addresses, blocks   knows nothing of: programs, types but for their width
#pragma once

#include <device/interpreter/movement.hpp>
#include <plan/schedule.hpp>

#include <cstddef>
#include <cstdint>

namespace kiln::backend {

class operand_map {
public:
    /// Borrows both.
    operand_map(const plan::operand& of, const std::int64_t* layout, int rank)
        : of_(of), layout_(layout), rank_(rank) {}

    /// In elements from the operand's parameter. `lookups` has the values that the element's index expressions have.
    [[nodiscard]] std::int64_t address(const std::int64_t* coordinates, const std::int64_t* lookups = nullptr) const;

    /// count elements from where the walk stands: from memory into a block.
    void load(void* to, const std::byte* memory, int bytes, const walk& at, std::int64_t count) const;
    /// Positions: `first` and the addresses themselves.
    void positions(std::int64_t* to, std::int64_t first, const walk& at, std::int64_t count) const;
    /// From a block into memory; elements whose guarded positions are not 0 are left out.
    void store(std::byte* memory, const void* from, int bytes, const walk& at, std::int64_t count) const;
    /// Where the lookups say; lookups[l][i] is lookup l of element i of the block.
    void gather(void* to, const std::byte* memory, int bytes, const walk& at, const std::int64_t* const* lookups,
                std::int64_t count) const;
    void gather_positions(std::int64_t* to, std::int64_t first, const walk& at, const std::int64_t* const* lookups,
                          std::int64_t count) const;

private:
    [[nodiscard]] std::int64_t linear(const plan::linear_plan& form, const std::int64_t* coordinates,
                                      const std::int64_t* steps) const;
    template <class Move>
    void each_piece(const walk& at, std::int64_t count, Move move) const;
    template <class Use>
    void each_address(const walk& at, const std::int64_t* const* lookups, std::int64_t count, Use use) const;

    const plan::operand& of_;
    const std::int64_t* layout_;
    int rank_;
};

}  // namespace kiln::backend
