// kiln/plan/policy/element_tile: elements of several operands in shared memory, those of one position side by side, so that a thread
// reads what it needs of them at once.
// in: operands   out: statements that fill and read it   knows nothing of: whose positions those are
#pragma once

#include <plan/nest/operands.hpp>

#include <functional>
#include <vector>

namespace kiln::plan {

/// Bytes that elements of some operands take of each position: `is_in` says of which.
int tile_bytes(const kernel& of, const std::function<bool(std::size_t input)>& is_in);

class element_tile {
public:
    element_tile(nest::builder& to, const kernel& of, const std::function<bool(std::size_t input)>& is_in);

    /// Of so many positions, in shared memory.
    void declare(int positions);

    /// What the thread has next: of a position, for good; or of none yet, what it then takes from a position or fetches from memory.
    void load(nest::value position);
    void begin();
    void take(nest::value position);
    void fetch(const std::function<nest::value(std::size_t input)>& element);

    /// What it has: all of it to a position; an operand's element.
    void store(nest::value position);
    nest::value element(std::size_t input);

private:
    /// Elements of one type that move at once.
    struct group {
        nest::type is;
        std::vector<std::size_t> inputs;
        nest::id tile = nest::none;
        nest::value own = {};  // what the thread has
    };
    nest::value lane(const group& of, std::size_t number);

    nest::builder& to_;
    std::vector<group> groups_;
};

}  // namespace kiln::plan
