// Cumulative sums and products as terms: reductions that keep every partial result.
#include <capture/term.hpp>

#include <kiln/scans.hpp>

namespace kiln::inline v0_1::detail {

handle<term> make_scan_term(reduction_kind what, element_type result, handle<term> of, axis along) {
    handle<term> made = make_reduction_term(what, result, std::move(of), along, true);
    made.get()->scans = true;
    return made;
}

}  // namespace kiln::inline v0_1::detail
