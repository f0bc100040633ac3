// Cumulative sums, products, extremes, and what users combine, as terms: reductions that keep every partial result.
#include <capture/term.hpp>

#include <kiln/scans.hpp>

namespace kiln::inline v0_1::detail {

handle<term> make_scan_term(reduction_kind what, element_type result, handle<term> of, axis along,
                            std::uint64_t definition) {
    handle<term> made = make_reduction_term(what, result, std::move(of), along, true);
    if (definition) made.get()->bits[0] = definition;
    made.get()->scans = true;
    return made;
}

}  // namespace kiln::inline v0_1::detail
