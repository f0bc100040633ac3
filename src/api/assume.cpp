// k::assume's word, checked: by evaluating what it is said of.
#include <device/recording/recording.hpp>
#include <jit_cache/trust.hpp>
#include <run/tracing.hpp>
#include <text/format.hpp>

#include <kiln/assume.hpp>
#include <kiln/error.hpp>
#include <kiln/reductions.hpp>

namespace kiln::inline v0_1::detail {

void check_assumption(const handle<term>& of, double low, double high, source_line where) {
    if (is_tracing || backend::detail::recorder) return;
    if (jit_cache::trust::environment("KILN_CHECK_ASSUMPTIONS") == "0") return;
    const expr<double> values = access::make<expr<double>>(of);
    const auto is_outside = !(values >= low && values <= high);
    const std::int64_t outside = sum(cast<std::int64_t>(is_outside)).item();
    if (outside == 0) return;
    const auto [least, largest, nans] = eval(nanmin(values), nanmax(values), count(isnan(values)));
    const std::int64_t size = values.size();
    const std::int64_t nan_count = nans.item();
    const std::string numbers =
        nan_count < size ? text::format("the least is {}, the largest {}", least.item(), largest.item()) : "";
    const std::string not_numbers =
        nan_count == 0 ? "" : text::format("{}{} NaN", nan_count, nan_count == 1 ? " is" : " are");
    throw error(text::format("kiln: assume: {}:{}: {} of {} values are not between {} and {}: {}{}{}", where.file,
                             where.line, outside, size, low, high, numbers,
                             numbers.empty() || not_numbers.empty() ? "" : "; ", not_numbers));
}

}  // namespace kiln::inline v0_1::detail
