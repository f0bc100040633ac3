// kiln/plan/policy/scan_rows: a scan along neighbouring elements: how threads have a part, add it up and scan it.
// in: a step   out: a nest, or the pieces of one   knows nothing of: where what comes before a part is from
#pragma once

#include <plan/policy/scan_nest.hpp>

#include <algorithm>
#include <functional>

namespace kiln::plan {

class row_scan : protected scan_nest_builder {
public:
    explicit row_scan(const scan_step& of) : scan_nest_builder(of, threads_per_block(of)) {}
    virtual ~row_scan() = default;

    nest::tree run();

protected:
    [[nodiscard]] bool by_blocks() const { return of_.mapping != scan_mapping::short_rows; }
    [[nodiscard]] int vector() const { return scan_vector(of_.type); }
    [[nodiscard]] int rounds() const { return row_rounds(of_); }
    /// Elements of a warp in one round, of a warp, of a block.
    [[nodiscard]] int of_round() const { return warp * vector(); }
    [[nodiscard]] int of_warp() const { return rounds() * of_round(); }
    [[nodiscard]] int of_block() const { return of_warp() * (scan_threads / warp); }

    /// A lane's vector of a round, as it is in memory.
    [[nodiscard]] nest::type read_vector() const { return nest::types::vector(of_.operand_type(), vector()); }
    [[nodiscard]] nest::type written_vector(std::size_t result = 0) const {
        return nest::types::vector(finisher_->type(result), vector());
    }
    [[nodiscard]] nest::value is_aligned(nest::id memory, nest::value at, nest::type moved) {
        return to_.is_aligned(memory, at, std::min(16, bytes_of(moved.of) * moved.lanes));
    }
    /// Where it begins; where its element k is, and which of the vector that is.
    [[nodiscard]] nest::value place_of(const scan_access& how, nest::value at, nest::value r) {
        return how.backward ? at - r * of_round() : at + r * of_round();
    }
    [[nodiscard]] nest::value in_vector(const scan_access& how, nest::value k) {
        return how.backward ? to_.constant(vector() - 1) - k : k;
    }

    using round_elements = std::function<nest::value(nest::value)>;

    void begin();
    /// The part of that number, through all lines.
    void take(nest::value number);
    void place();
    void load();
    nest::value read(nest::value r, nest::value k);
    /// Of a whole warp whose lines are aligned in vectors; of others side by side.
    void store();
    nest::value total_of_warp();
    nest::value total_of_block();
    struct scanned_round {
        nest::value sum;     // of this lane's vector and those before it
        nest::value beside;  // of those before it
    };
    scanned_round scan_round(const round_elements& at);
    nest::value ahead_of(nest::value before, nest::value beside);
    void scan_of_warp(nest::value before);
    void add_warps_before(nest::value before, nest::id sums);
    void put_before(nest::value before, nest::id sums);
    nest::id of_warps(std::string_view name, nest::value mine);

    /// A thread's vector of a round, and its place if it has changed.
    virtual round_elements open_round(nest::value r) {
        return [this, r](nest::value k) { return element(r, k); };
    }
    virtual void close_round(nest::value, const round_elements&) {}
    /// What is stored of a round: of a thread's vector; of the elements, s of each, that a warp's threads have side by side.
    virtual round_elements finished_round(nest::value r) { return open_round(r); }
    virtual round_elements round_side_by_side(nest::value r);
    /// Of a lane's element k of a round, where lanes have theirs side by side: which of the warp's it is, and where, `first` being where
    /// its first one is.
    [[nodiscard]] nest::value side_by_side(nest::value r, nest::value k) { return r * of_round() + k * warp + lane_; }
    nest::value first_side_by_side(const scan_access& how, nest::value begin);
    nest::value place_side_by_side(const scan_access& how, nest::value first, nest::value r, nest::value k);
    /// 0: all rounds are written out, as elements in registers need; else so many.
    [[nodiscard]] virtual int rounds_written_out() const { return 0; }
    /// Of registers, for what is read beside an element of each round whose loads go out together.
    [[nodiscard]] virtual int bytes_together() const { return 16; }
    virtual void meet() { to_.barrier(); }

    [[nodiscard]] nest::value thread() { return warp_ * warp + lane_; }
    [[nodiscard]] nest::value element(nest::value r, nest::value k) { return to_.at(elements_, r * vector() + k); }
    template <class Each>
    void each_element(Each each) {
        to_.unrolled("r", rounds(),
                     [&](nest::value r) { to_.unrolled("k", vector(), [&](nest::value k) { each(r, k); }); });
    }
    [[nodiscard]] nest::value is_whole() { return left_ >= of_warp(); }
    [[nodiscard]] nest::value is_there(nest::value r, nest::value k) {
        return r * of_round() + lane_ * vector() + k < left_;
    }

    nest::id elements_ = nest::none;
    nest::value block_, warp_, lane_, number_, row_, p_, left_;
    nest::value begins_read_, begins_written_;  // where the first lane's first vector begins
    nest::value read_, written_;                // and the lane's

private:
    nest::tree walk();
    void add_other_warps(nest::value sum, nest::id sums);
    nest::value begin_of(const scan_access& how, nest::value first);
    nest::value lane_in(const scan_access& how, nest::value begin);
    void each_round(const std::function<void(nest::value)>& round);
    void total_in_order(nest::value sum);

    nest::value are_aligned();
    void store_vector(nest::value r, const scan_finisher::elements& beside, nest::value first);
    void store_side_by_side(nest::value r, const scan_finisher::elements& beside, nest::value first);
    void finish_rounds(bool in_vectors);
    void load_beside(nest::value r, const scan_finisher::elements& beside, nest::value first, bool in_vectors);

    nest::id turned_ = nest::none;      // a round of each warp
    nest::value written_side_by_side_;  // where the first is of the elements that the lane has
    nest::value line_;                  // where it begins in memory
};

/// Of mappings `row_parts` and `served_parts`.
nest::tree row_part_nest(const scan_step& of);

}  // namespace kiln::plan
