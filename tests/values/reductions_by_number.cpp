// kiln's reductions of a value whose type only a variant knows. In a file of its own: most of what is compiled is here.
#include <values/random_reductions.hpp>

#include <support/values.hpp>

#include <stdexcept>

namespace tests {

namespace {

template <class E>
any_expr erased(const E& e) {
    return kiln::expr<kiln::value_t<E>>(e);
}

template <class Reduce, class E>
any_expr kept_or_not(Reduce reduce, const E& e, const kiln::axis_list& over, bool keep) {
    return keep ? erased(reduce(e, over, kiln::keep_dims)) : erased(reduce(e, over));
}

#define KILN_TEST_REDUCTION(name) \
    kept_or_not([](const auto& e, const auto&... over) { return kiln::name(e, over...); }, e, over, keep)

/// A sum as a user writes it; its bits are sum's, where sum adds up in the type itself.
template <class T>
kiln::user_reduction<T> users_sum() {
    if constexpr (is_complex<T>)
        return kiln::reduction<T>("mine", T(-0.0f, -0.0f), "a", "b", "return {a.re + b.re, a.im + b.im};");
    else return kiln::reduction<T>("mine", T(-0.0f), "a", "b", "return a + b;");
}

}  // namespace

any_expr reduced(oracle::reduction what, bool users, const any_expr& of, const kiln::axis_list& over, bool keep) {
    using oracle::reduction;
    return std::visit(
        [&]<class T>(const kiln::expr<T>& e) -> any_expr {
            constexpr kiln::element_kind kind = kiln::kind_of(kiln::type_of<T>);
            switch (what) {
                case reduction::sum:
                    if constexpr (std::is_same_v<T, kiln::value_t<decltype(kiln::sum(e))>> && sizeof(T) >= 4)
                        if (users) return kept_or_not(users_sum<T>(), e, over, keep);
                    return KILN_TEST_REDUCTION(sum);
                case reduction::prod: return KILN_TEST_REDUCTION(prod);
                case reduction::mean: return KILN_TEST_REDUCTION(mean);
                case reduction::any: return KILN_TEST_REDUCTION(any);
                case reduction::all: return KILN_TEST_REDUCTION(all);
                case reduction::count: return KILN_TEST_REDUCTION(count);
                case reduction::var: return KILN_TEST_REDUCTION(var);
                case reduction::stddev: return KILN_TEST_REDUCTION(stddev);
                case reduction::norm: return KILN_TEST_REDUCTION(norm);
                default: break;
            }
            if constexpr (kind == kiln::element_kind::floating)
                if (what == reduction::logsumexp) return KILN_TEST_REDUCTION(logsumexp);
            if constexpr (kind != kiln::element_kind::complex) {
                switch (what) {
                    case reduction::min: return KILN_TEST_REDUCTION(min);
                    case reduction::max: return KILN_TEST_REDUCTION(max);
                    case reduction::argmin: return KILN_TEST_REDUCTION(argmin);
                    case reduction::argmax: return KILN_TEST_REDUCTION(argmax);
                    default: break;
                }
            }
            throw std::logic_error("random reductions: one that the type does not have");
        },
        of);
}

any_expr dot_with_itself(const any_expr& of) {
    return std::visit([](const auto& e) { return erased(kiln::dot(e, e)); }, of);
}

any_expr cumulated(oracle::reduction sum_or_prod, const any_expr& of, int axis) {
    return std::visit(
        [&](const auto& e) {
            return sum_or_prod == oracle::reduction::prod ? erased(kiln::cumprod(e, kiln::axis(axis)))
                                                          : erased(kiln::cumsum(e, kiln::axis(axis)));
        },
        of);
}

}  // namespace tests
