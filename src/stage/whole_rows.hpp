// kiln/stage/whole_rows: copies of arrays whose rows begin at multiples of 16 bytes, for kernels that read an array many times over in
// vectors: a row of an odd number of elements is filled up, with what nobody looks at.
// in: terms   out: terms   knows nothing of: devices, text
#pragma once

#include <capture/array_node.hpp>
#include <capture/term.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// Whether neighbours move 16 bytes at a time wherever a row of them is taken; or where a copy would not help: an array that is seen
/// several times along an axis is smaller than its copy.
bool has_whole_rows(const array_node& of);

/// What an array, or an expression, looks like to its copy.
class whole_rows {
public:
    /// `of`: an array, or operations on arrays.
    explicit whole_rows(const handle<term>& of);

    /// What is to be computed: its rows last, filled up; axes of extent 1 are dropped.
    [[nodiscard]] handle<term> computed() const;
    /// Where that is, the same elements as they were.
    [[nodiscard]] handle<array_node> seen_in(const handle<array_node>& made) const;
    /// Whether two are copies of the same elements.
    friend bool have_one_copy(const whole_rows& left, const whole_rows& right);

private:
    handle<term> of_;
    shape extents_;  // as it is seen
    shape kept_;     // without axes of extent 1
    int row_ = -1;   // of kept_: along which elements are neighbours
    std::int64_t filled_ = 0;
};

}  // namespace kiln::inline v0_1::detail
