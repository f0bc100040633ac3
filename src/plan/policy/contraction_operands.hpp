// kiln/plan/policy/contraction_operands: what a contraction's operands know of its values, how a round of their elements comes into
// shared memory, and what of it a thread then has in registers.
// in: a planned contraction, where its block and its threads are   out: parts of its nest
// knows nothing of: what is made of the elements
#pragma once

#include <plan/nest/operands.hpp>

#include <string>
#include <vector>

namespace kiln::plan {

/// Which of a contraction's values are a block's, and which of those a thread's.
struct contraction_place {
    enum class side { rows, columns, neither };

    const kernel& of;
    nest::operands& operands;
    nest::value thread = {};
    nest::value first_row = {}, first_column = {};    // of the block
    nest::value thread_row = {}, thread_column = {};  // in its tile
    nest::value reduced = {};                         // elements of each value
    std::vector<nest::value> positions = {};          // on the axes that stay, but rows and columns

    [[nodiscard]] const contraction_tile& tile() const { return of.contraction; }
    [[nodiscard]] int axis(side along) const { return along == side::rows ? of.tile_axis : of.column_axis(); }
    [[nodiscard]] int extent(side along) const;
    [[nodiscard]] int values(side along) const;
    /// Of a thread's rows, or columns, those side by side, before the other threads have as many: what neighbouring threads read at
    /// once then lies in as many banks of shared memory.
    [[nodiscard]] int neighbours(side along) const;
    /// Of values that one thread each makes: a warp has a tile of its own, 8 threads by 4, so that all of them read a row's elements, or
    /// a column's, at once.
    [[nodiscard]] bool has_warp_tiles() const { return tile().stages > 0 && of.threads_per_output == 1; }
    static constexpr int warp_rows = 8;
    static constexpr int warp_columns = 4;
    [[nodiscard]] nest::value in_tile(side along, nest::value number) const;
    [[nodiscard]] nest::value position(side along, nest::value in_tile) const;
};

class contraction_operands {
public:
    using side = contraction_place::side;

    /// `are_reduced`: which inputs what is reduced is made of; others are left alone.
    contraction_operands(nest::builder& to, const contraction_place& at, const std::vector<bool>& are_reduced);

    /// Shared memory.
    void declare();
    /// What does not change from element to element, and where a thread's part of the elements is.
    void begin();
    /// A thread's part of the elements from `first` on, to its registers, and from there to a stage.
    void load(nest::value first);
    void leave_in(nest::value stage);
    /// The same in the background: without a test of each, where all of them are there.
    void copy(nest::value first, nest::value stage, bool all_there);
    /// What the thread's values need of elements in a stage: of lines, of several from `deep` on, of others of one.
    void read_lines(nest::value stage, nest::value deep);
    void read(nest::value stage, nest::value deep);
    /// Of what was read last, that of the thread's value in row `r` and column `c`; of lines, of element `k`.
    [[nodiscard]] nest::value value_of(std::size_t input, nest::value r, nest::value c, nest::value k);

private:
    struct input {
        bool is_reduced = true;
        side of = side::neither;
        bool deep = false;  // it knows the elements
        nest::id shared = nest::none;
        nest::id loaded = nest::none;  // the thread's part of what comes next, where it comes by registers
        nest::id own = nest::none;     // what the thread's values need: vectors of `lanes`
        int lanes = 1;
        nest::value one = {};  // the same for all
        // Of deep ones: of the elements that come next, the thread's first, then every `rise`th; the same of the row, or column,
        // `apart` further on, `passes` times; and where that is, for each pass.
        nest::value deep_from = {}, across = {}, stride = {}, at = {};
        nest::id places = nest::none;  // in place of `at`, where passes are several
        int rise = 0;
        int passes = 1;
        int apart = 0;
        int moved = 1;         // neighbours at once
        bool is_line = false;  // of a row (plan/contraction.hpp): `own` has a vector of elements of each value
    };

    [[nodiscard]] const operand& operand_of(const input& of) const;
    [[nodiscard]] const std::string& name_of(const input& of) const;
    [[nodiscard]] std::vector<nest::value> positions_beside(side of, nest::value in_tile, int moved);
    [[nodiscard]] nest::value element(std::size_t i, side of, nest::value in_tile);
    [[nodiscard]] int moves(const input& of) const;
    [[nodiscard]] int rounds(const input& of) const;
    [[nodiscard]] bool has_place(const input& of) const;
    [[nodiscard]] nest::value next_place(const input& of, nest::value pass);
    [[nodiscard]] nest::value across_of(const input& of, nest::value pass) const;
    [[nodiscard]] nest::value address_of(const input& of, nest::value pass, nest::value u, nest::value number);
    [[nodiscard]] nest::value place(const input& of, nest::value stage, nest::value deep, nest::value across) const;
    void read_one(const input& of, nest::value stage, nest::value deep);
    [[nodiscard]] bool is_copied() const { return at_.tile().stages > 0; }
    void go_on(const input& of);
    void divide(input& of);
    void divide_lines(input& of);
    void start(input& of);
    template <class Each>
    void each_of_next(const input& of, Each each);

    nest::builder& to_;
    const contraction_place& at_;
    std::vector<input> inputs_;
    std::vector<int> reduced_axes_;
};

}  // namespace kiln::plan
