// kiln/plan/policy/scan_column_parts: parts of columns: where they are; and, in one pass, what comes before them. What parts come to, and
// groups of parts, and groups of those, is published level by level.
// in: a step   out: what its nest is made with   knows nothing of: who has which element of a part
#pragma once

#include <plan/policy/scan_nest.hpp>

#include <cstdint>

namespace kiln::plan {

class column_parts : protected scan_nest_builder {
protected:
    using value = nest::value;

    /// Of elements in shared memory, those whose turns stand one after the other. More of the kernel's text than that, as two loops of loads
    /// and sums with what is left over after each, takes NVRTC twice the time and the kernel as long.
    static constexpr int written_out = 8;

    column_parts(const scan_step& of, int threads) : scan_nest_builder(of, threads) {}

    [[nodiscard]] value word(value of) { return to_.convert(of, nest::types::word); }
    [[nodiscard]] value length_of(value p) {
        const value left = to_.let("left", count_ - p * part_);
        return to_.let("length", to_.select(left < part_, left, part_));
    }
    /// The first element of part p of line (o, i).
    [[nodiscard]] value first_of(const scan_access& how, value o, value p, value i) {
        if (!how.backward) return to_.let("first", (o * count_ + p * part_) * inner_ + i);
        return to_.let("last", (o * count_ + (count_ - 1 - p * part_)) * inner_ + i);
    }

    /// Of the thread's column, what part `number` of it comes to. The first word is the counter that blocks take their numbers from.
    [[nodiscard]] value state(int level, value number) {
        value before = to_.constant(0, nest::types::word);
        for (int i = 0; i < level; ++i) before = before + count_of(i);
        return to_.at(states_, (outer_ * before + o_ * count_of(level) + number) * inner_ + column_ + 1);
    }

    /// Of p_, the block's first part, once what it comes to is published. If the block has the first of a group, p_ is it.
    void add_all_before(value sum) {
        to_.when(p_ > 0, [&] {
            publish_groups();
            add_groups_before(p_, 0, sum);
        });
    }
    /// What comes before a part, less what groups of lower levels have of it.
    void add_groups_before(value part, int lowest, value sum) {
        for (int level = levels_of(of_); level-- > lowest;) add_before(part, level, sum);
    }

    value p_, o_, column_;

private:
    [[nodiscard]] value count_of(int level) { return level == 0 ? parts_ : ceiling(parts_, power(level)); }
    static std::int64_t power(int level) {
        std::int64_t out = 1;
        for (int i = 0; i < level; ++i) out *= least_of_column;
        return out;
    }

    /// Whoever comes after the last of a group adds the group up.
    void publish_groups() {
        for (int level = 0; level + 1 < levels_of(of_); ++level) {
            const std::int64_t group = power(level + 1);
            to_.when(p_ % group == 0, [&] {
                const value sum = nothing("of_group");
                const value end = to_.let("end", p_ / power(level));
                add_published(level, end - least_of_column, end, sum);
                to_.publish(state(level + 1, p_ / group - 1), s(sum));
            });
        }
    }

    /// Of those before that no higher level has.
    void add_before(value part, int level, value sum) {
        value end = part;
        for (int i = 0; i < level; ++i) end = group_before(end) / least_of_column;
        end = to_.let("end", end);
        add_published(level, group_before(end), end, sum);
    }
    /// Where the group of the last before `end` begins; 0 of 0.
    [[nodiscard]] value group_before(value end) { return (end - 1) / least_of_column * least_of_column; }

    void add_published(int level, value begin, value end, value sum) {
        const nest::id next = to_.own("published", element_type_, published_at_once);
        to_.loop(
            nest::runner::serial, "q", begin, end, published_at_once,
            [&](value q) {
                const value there = to_.let("there", at_most(end - q, published_at_once));
                to_.await(to_.at(next, 0), published_at_once, state(level, q), inner_, there);
                to_.unrolled("u", published_at_once,
                             [&](value u) { to_.when(u < there, [&] { add_element(sum, to_.at(next, u)); }); });
            },
            /*written_out=*/1);
    }

    static constexpr int published_at_once = 16;  // of what parts come to, which others may still be waited for
};

}  // namespace kiln::plan
