#include <api/profile/advice.hpp>

#include <api/amounts.hpp>
#include <api/profile/columns.hpp>
#include <api/profile/kinds.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace kiln::inline v0_1::detail {

namespace {

/// Expressions that differ in numbers alone are the same here.
std::string without_numbers(std::string_view expression) {
    std::string out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const auto is_word = [&](std::size_t at) {
            return std::isalnum(static_cast<unsigned char>(expression[at])) || expression[at] == '_';
        };
        const bool begins_number =
            std::isdigit(static_cast<unsigned char>(expression[i])) && (i == 0 || !is_word(i - 1));
        out += begins_number ? '#' : expression[i];
        if (begins_number)
            while (i + 1 < expression.size() && (is_word(i + 1) || expression[i + 1] == '.')) ++i;
    }
    return out;
}

}  // namespace

std::string advice_on(const std::vector<profile_event>& events, std::int64_t host_ns) {
    std::string out;
    std::map<std::string, int> alike;
    std::int64_t compile_ns = 0;
    std::int64_t copy_ns = 0;
    std::int64_t run_ns = 0;
    std::int64_t short_launches = 0;
    int compiles = 0;
    for (const profile_event& each : events) {
        if (each.what == profiled::compile) {
            ++alike[without_numbers(each.expression)];
            compile_ns += each.end_ns - each.begin_ns;
            ++compiles;
        }
        if (each.what == profiled::copy && each.pipeline == 0) copy_ns += each.end_ns - each.begin_ns;
        if (is_launch(each)) run_ns += each.run_ns;
        const bool is_alone = each.what == profiled::kernel && each.pipeline == 0;  // not beside copies
        if (is_alone && each.run_ns > 0 && each.run_ns < 5'000) ++short_launches;
    }
    for (const auto& [expression, count] : alike)
        if (count >= 3)
            out += text::format("- {} kernels differ only in a constant ({}): pass it as a scalar, and they are one.\n",
                                count, shown(expression, widest_text));
    if (compiles > 0 && compile_ns * 2 > host_ns)
        out += text::format(
            "- {} compiles are {:.0f}% of the host's time: they are paid once a store (KILN_CACHE_DIR); "
            "k::prepare() pays them when you choose.\n",
            compiles,
            100.0 * static_cast<double>(compile_ns) / static_cast<double>(std::max<std::int64_t>(host_ns, 1)));
    if (short_launches >= 100)
        out += text::format(
            "- {} launches ran for less than 5 us each: a loop of them is faster as a k::graph, several results "
            "of one shape as one k::eval(a, b).\n",
            short_launches);
    if (copy_ns > run_ns && copy_ns > 1'000'000)
        out += text::format(
            "- Copies to and from the host take {}, kernels {}: keep arrays on the device, or stay on the "
            "CPU.\n",
            time_text(static_cast<double>(copy_ns)), time_text(static_cast<double>(run_ns)));
    return out;
}

}  // namespace kiln::inline v0_1::detail
