// Who wants to know how far compiling is, is told.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace k = kiln;

namespace {

/// While it lives, all that is told.
class told {
public:
    told() {
        k::on_compile_progress([this](const k::compile_progress& each) { all.push_back(each); });
    }
    ~told() { k::on_compile_progress({}); }
    told(const told&) = delete;
    told& operator=(const told&) = delete;

    std::vector<k::compile_progress> all;
};

}  // namespace

TEST_CASE("each compile of an evaluation is told before, and the end of the last") {
    if (!tests::device().compiles) return;
    const k::array<float> m = k::full<float>({30, 20}, 0.5f);
    const told seen;
    const k::counters before = k::counters::now();
    // A sum that the next step needs whole is a stage of its own. Of functions that no other test has together: what is
    // compiled already is not told.
    k::prepare(k::label("in two", k::sinh(m) * 1.71875f - k::sum(k::cosh(m) * m * 3.40625f)));
    const std::int64_t compiles = (k::counters::now() - before).compiles;
    if (compiles == 0) return;  // another test's, or an earlier run's
    REQUIRE(seen.all.size() == static_cast<std::size_t>(compiles) + 1);
    for (std::size_t i = 0; i + 1 < seen.all.size(); ++i) {
        CHECK(seen.all[i].name.find("kiln_") == 0);
        CHECK_FALSE(seen.all[i].expression.empty());
        CHECK(seen.all[i].label == "in two");
        CHECK(seen.all[i].done < seen.all[i].total);
        CHECK(seen.all[i].done >= static_cast<std::int64_t>(i));
    }
    CHECK(seen.all.back().name.empty());
    CHECK(seen.all.back().done == seen.all.back().total);
    CHECK(seen.all.front().total == seen.all.back().total);
    k::prepare(k::label("in two", k::sinh(m) * 1.71875f - k::sum(k::cosh(m) * m * 3.40625f)));
    CHECK(seen.all.size() == static_cast<std::size_t>(compiles) + 1);
}

TEST_CASE("what a callback throws stops the compile, and the next call makes up for it") {
    if (!tests::device().compiles) return;
    const k::array<float> x = k::full<float>({30}, 0.5f);
    const std::int64_t before = k::counters::now().compiles;
    k::on_compile_progress([](const k::compile_progress&) { throw std::runtime_error("enough"); });
    bool has_thrown = false;
    try {
        const k::array<float> y = x * 9.28125f + 0.0625f * x;
    } catch (const std::runtime_error& trouble) {
        has_thrown = std::string(trouble.what()) == "enough";
    }
    k::on_compile_progress({});
    const bool had_it = k::counters::now().compiles == before && !has_thrown;
    CHECK((has_thrown || had_it));
    CHECK_SAME(k::array<float>(x * 9.28125f + 0.0625f * x).to_host(), std::vector<float>(30, 4.671875f));
}

TEST_CASE("child: compiles two kernels" * doctest::skip()) {
    const k::array<float> x = k::full<float>({30}, 0.5f);
    const k::array<float> y = x * x;
    const k::array<float> z = x * x * x;
    MESSAGE("compiled=", k::counters::now().compiles);
}

TEST_CASE("KILN_PROGRESS=1 shows a line that goes away, 0 none, and elsewhere than on a terminal there is none") {
    if (!tests::device().compiles) return;
    const auto run = [](const char* wanted) {
        const tests::temporary_folder cache;
        return tests::run_child(
                   "child: compiles two kernels",
                   tests::with_this_device({{"KILN_CACHE_DIR", cache.path().c_str()}, {"KILN_PROGRESS", wanted}}))
            .output;
    };
    const std::string shown = run("1");
    CAPTURE(shown);
    CHECK(tests::occurrences(shown, "kiln: compiling kernel 1 of 1: x0 * x0: ") == 1);
    CHECK(tests::occurrences(shown, "kiln: compiling kernel 1 of 1: (x0 * x0) * x0: ") == 1);
    CHECK(tests::occurrences(shown, "\r\x1b[K") == tests::occurrences(shown, "kiln: compiling"));
    CHECK(tests::occurrences(run("0"), "compiling") == 0);
    CHECK(tests::occurrences(run(nullptr), "compiling") == 0);
    CHECK(run("yes").find("KILN_PROGRESS=yes is neither 0 nor 1") != std::string::npos);
}
