#include <kiln/matmul.hpp>

#include <text/format.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

namespace {

/// With an axis more, before the last `after` axes.
view_spec with_axis(const shape& of, int after) {
    index_item items[max_rank + 1] = {all, all, all, all, all, all, all, all, all};
    items[of.rank() - after] = newaxis;
    return sliced(of, {items, static_cast<std::size_t>(of.rank() + 1)});
}

view_spec as_it_is(const shape& of) {
    const index_item items[max_rank] = {all, all, all, all, all, all, all, all};
    return sliced(of, {items, static_cast<std::size_t>(of.rank())});
}

}  // namespace

matmul_views views_for_matmul(const shape& a, const shape& b) {
    const auto wrong = [&](const std::string& why) {
        return shape_error(text::format("kiln: matmul of shapes {} and {}: {}", to_string(a), to_string(b), why));
    };
    if (a.rank() == 0 || b.rank() == 0) throw wrong("a single number is multiplied by *");
    const std::int64_t in_a = a[a.rank() - 1];
    const std::int64_t in_b = b[b.rank() == 1 ? 0 : b.rank() - 2];
    if (in_a != in_b) throw wrong(text::format("rows of {} elements do not meet columns of {}", in_a, in_b));
    const bool columns = b.rank() > 1;
    const bool rows = a.rank() > 1;
    if ((columns && a.rank() == max_rank) || (rows && columns && b.rank() == max_rank))
        throw wrong(text::format("products have an axis more, and {} are the most there are", max_rank));
    const int batches = std::min(a.rank(), b.rank()) - 2;
    for (int i = 0; i < batches; ++i) {
        const std::int64_t of_a = a[a.rank() - 3 - i];
        const std::int64_t of_b = b[b.rank() - 3 - i];
        if (of_a != of_b && of_a != 1 && of_b != 1)
            throw wrong(text::format(
                "what stands before the last two axes does not broadcast: from the right, {} meets {}", of_a, of_b));
    }
    // (..., M, K, 1) and (..., 1, K, N); (K, 1) of a list, and of b as it is where a column has no neighbours.
    return {columns ? with_axis(a, 0) : as_it_is(a), columns && rows ? with_axis(b, 2) : as_it_is(b),
            columns ? -2 : -1};
}

}  // namespace kiln::inline v0_1::detail
