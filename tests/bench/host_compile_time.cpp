// What the host's compiler takes of a core for each kernel that has a golden (tests/golden/*.host.cc): the least of so many
// times, in turns.
#define DOCTEST_CONFIG_IMPLEMENT
#include "support.hpp"

#include <compile/host_compiler.hpp>
#include <emit/kinds.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace {

using namespace kiln::bench;

/// Of all child processes that ended so far.
double processor_ms() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) * 1e-3;
    };
    return of(used.ru_utime) + of(used.ru_stime);
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    doctest::Context context;  // the list of kinds checks what it is made of
    context.setAsDefaultForAssertsOutOfTestCases();
    const auto compiler = kiln::compile::host_toolchain::find();
    report out("host_compile_time", kiln::text::format("{}; {}", processor(), compiler->fingerprint()), given);
    if (!compiler->is_there()) {
        out.note("not measured: there is no host compiler");
        return out.finish();
    }
    const std::string only = given.text("--only", "");
    std::vector<tests::kind> kinds = tests::kinds();
    std::erase_if(kinds, [&only](const tests::kind& each) {
        return each.on != kiln::plan::frame::host || each.name.find(only) == std::string::npos;
    });
    std::vector<double> least(kinds.size(), std::numeric_limits<double>::infinity());
    for (std::int64_t i = 0; i < given.number("--rounds", 15); ++i)
        for (std::size_t each = 0; each < kinds.size(); ++each) {
            const double before = processor_ms();
            compiler->compile(kinds[each].source);
            least[each] = std::min(least[each], processor_ms() - before);
        }
    for (std::size_t each = 0; each < kinds.size(); ++each) out.add({kinds[each].name, summarize({least[each]}), "ms"});
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("host_compile_time", trouble);
}
