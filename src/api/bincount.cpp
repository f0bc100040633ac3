// How many values k::bincount counts: found out by waiting, since its result's shape depends on it.
#include <device/recording/while_recording.hpp>
#include <text/format.hpp>

#include <kiln/segments.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

void check_bincount_may_wait() { backend::refuse_while_recording("bincount()"); }

void check_minlength(std::int64_t minlength) {
    if (minlength < 0) throw shape_error(text::format("kiln: bincount of at least {} values", minlength));
    if (minlength > most_segments)
        throw shape_error(text::format("kiln: bincount of at least {} values, and 2^40 are the most", minlength));
}

std::int64_t bin_count(std::int64_t least, std::uint64_t most, std::int64_t minlength) {
    check_minlength(minlength);
    if (least < 0) throw error(text::format("kiln: bincount: {} is negative; k::histogram leaves such out", least));
    if (most >= std::uint64_t{most_segments})
        throw error(
            text::format("kiln: bincount: the largest element is {}, and the result has a count of each number up to "
                         "it: below 2^40 is the most; k::histogram(x, bins) counts those below `bins` alone",
                         most));
    return std::max(static_cast<std::int64_t>(most) + 1, minlength);
}

}  // namespace kiln::inline v0_1::detail
