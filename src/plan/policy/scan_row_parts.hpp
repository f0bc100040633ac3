// kiln/plan/policy/scan_row_parts: parts of lines that are read once: each block publishes what its part comes to, and of what was
// published is made what comes before it, in the order in which a scan of all those totals would come to it. Of few parts each block
// makes it for itself, since that order is a tree of few levels: nobody waits for what a predecessor makes of its own predecessors,
// but for the sums of whole rounds, which one block for each makes. Of many, one more block makes it for all, and publishes it: blocks
// that all read the totals before theirs, until they are there, keep the second cache from what it is needed for (H100, 67M floats, by
// hand: 246 us in place of 197; where nobody looks, and the result is wrong, 184; a copy takes 180. As generated, sums take 193, where
// reading twice takes 272).
// in: a step   out: its nest   knows nothing of: who asks for it
#pragma once

#include <plan/policy/scan_rows.hpp>

namespace kiln::plan {

class row_part_scan : protected row_scan {
protected:
    explicit row_part_scan(const scan_step& of) : row_scan(of), carry_(carry_of(of)) {}

    [[nodiscard]] bool is_served() const { return of_.mapping == scan_mapping::served_parts; }
    void take_part(nest::value number);

    // --- Warps that have a part: in shared memory, where each thread's vectors are its own ---

    [[nodiscard]] nest::type vectors() const { return nest::types::vector(of_.type, vector()); }
    void load();
    void load_copies();
    void load_side_by_side();
    void load_cast();
    void turn();
    /// Total, published; then the part becomes its scan, on top of nothing. Gives what the warp's elements come to.
    nest::value scan_part();

    // --- What comes before a part that is not the first of its line ---

    /// By a warp, of what others published: in the first lane, at least.
    nest::value look_back();
    /// By a thread, of what one block published for all.
    void await_before(nest::value to);
    /// Of that block: each warp has some lines.
    void serve();

    nest::id tile_ = nest::none, round_ = nest::none;  // a part; a thread's vector of it
    nest::value before_;                               // what its warp's elements come after

private:
    [[nodiscard]] nest::value in_tile(nest::value r);
    [[nodiscard]] nest::value in_tile_side_by_side(nest::value r, nest::value k) {
        return to_.at(tile_, warp_ * of_warp() + side_by_side(r, k));
    }
    round_elements open_round(nest::value r) override;
    void close_round(nest::value r, const round_elements& at) override;
    round_elements finished_round(nest::value r) override;
    round_elements round_side_by_side(nest::value r) override;
    /// Of all at once five blocks would spill: of floats' sums 76 bytes a thread, for which the first cache has no room beside their
    /// parts (H100, 67M of them: 255 us in place of 193; four blocks, which do not spill, take 200).
    [[nodiscard]] int rounds_written_out() const override { return is_served() ? 2 : 0; }
    [[nodiscard]] int bytes_together() const override { return 8; }
    void meet() override { to_.barrier_of(scan_threads); }
    nest::value joined(const round_elements& at);

    nest::value in_sequence();
    nest::value by_rounds();
    void add_published(std::string_view name, nest::value first, int most, nest::value there, nest::value to);
    template <class To>
    void await_vector(nest::value first, nest::value there, To to);
    void serve_line(nest::value row);
    nest::value serve_round(nest::value first, nest::value left, nest::value before, nest::value before_warps);

    const scan_carry carry_;
    nest::value totals_, rounds_, befores_;  // where they are among what is published
};

}  // namespace kiln::plan
