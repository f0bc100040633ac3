// The kernels of every kind (kinds.hpp), against the committed ones: tests/golden/README.md says how to read those.
#include "kinds.hpp"
#include "skeletons.hpp"

#include <support/build_paths.hpp>
#include <support/golden.hpp>
#include <support/rooms.hpp>
#include <support/source_pieces.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <set>

namespace k = kiln;

namespace {

/// Names below tests/golden.
std::set<std::string> committed() {
    std::set<std::string> out;
    for (const auto& each : std::filesystem::recursive_directory_iterator(tests::golden_folder()))
        if (each.is_regular_file() && each.path().extension() != ".md")
            out.insert(each.path().lexically_relative(tests::golden_folder()).string());
    return out;
}

/// One for each way in which a policy divides a kernel's elements.
const std::set<std::string> shown_nests = {"contiguous",
                                           "background_copies",
                                           "cluster_reads",
                                           "cluster_sends",
                                           "tile_f16",
                                           "heavy",
                                           "misaligned",
                                           "stencil",
                                           "transposed",
                                           "columns",
                                           "crossed_columns",
                                           "contraction",
                                           "contraction_of_lines",
                                           "contraction_of_rows",
                                           "shared_rows",
                                           "lane_values",
                                           "interleaved",
                                           "interleaved_kept",
                                           "rows",
                                           "scan_columns",
                                           "stencil_of_vectors",
                                           "scan_lines",
                                           "scan_panels",
                                           "scan_row_parts",
                                           "scan_row_totals",
                                           "scan_rows",
                                           "scan_walked_rows",
                                           "softmax",
                                           "softmax_of_columns",
                                           "total",
                                           "two_totals",
                                           "windows",
                                           "ends_in_partial_sums"};

/// The CPU's are those of x86-64: elsewhere a cast to an integer and back has another text (emit/operation_text.cpp).
bool is_committed_here([[maybe_unused]] const std::string& name) {
#if defined(__x86_64__)
    return true;
#else
    return !name.ends_with(".cc");
#endif
}

}  // namespace

TEST_CASE("golden: the own lines of each kind of kernel, and what kernels share") {
    const std::vector<tests::kind> all = tests::kinds();
    std::map<std::string, std::string> made = tests::skeletons(all);
    for (const tests::kind& each : all)
        if (!each.nest.empty() && shown_nests.count(each.name)) made["nests/" + each.name + ".txt"] = each.nest;
    for (const auto& [name, text] : made)
        if (is_committed_here(name)) tests::check_golden(name, text);
    for (const std::string& name : committed()) {
        if (made.count(name)) continue;
        if (tests::updates_goldens()) std::filesystem::remove(tests::golden_folder() + "/" + name);
        else FAIL_CHECK(name, " is of no kind");
    }
}

TEST_CASE("golden: each definition belongs to a group, and stands in one golden") {
    std::map<std::string, std::string> texts;
    for (const std::string& name : committed()) texts[name] = tests::text_of_file(tests::golden_folder() + "/" + name);
    for (const tests::kind& each : tests::kinds())
        for (const auto& definition : tests::pieces_of(each.source.text).definitions) {
            const std::string group = tests::group_of(definition.name, each.on);
            CHECK_MESSAGE(!group.empty(), each.name, ": no group has ", definition.name, ":\n", definition.text);
            for (const auto& text : texts) {
                const std::string& name = text.first;  // clang++ 14 has no structured bindings in doctest's lambdas
                if (text.second.find(definition.text) != std::string::npos &&
                    name.ends_with(each.on == k::plan::frame::cuda ? "cu" : "cc"))
                    CHECK_MESSAGE(name == group, definition.name, " stands in ", name, " and in ", group);
            }
        }
}

TEST_CASE("golden: a change of one place changes one golden") {
    const std::vector<tests::kind> all = tests::kinds();
    const std::map<std::string, std::string> now = tests::skeletons(all);
    const std::string changed = "changed ";
    for (const auto& each_place : {
             std::pair{"griddepcontrol.wait", "shared/helpers.cu"},
             {"__launch_bounds__", "shared/heads.cu"},
             {"(parameters[0])", "shared/heads.host.cc"},
             {"__stcs(", "shared/vectors.cu"},
             {"atom.release.gpu", "shared/helpers.cu"},
             {"out.s0 = sum_of(", "shared/accumulators.cu"},
             {"i < 0 ? 0 : i;\n    const i64", "shared/indices.host.cc"},
             {"const bool whole = first + 4", "contiguous.cu"},
             {"if (!is_last[0]) return", "total.cu"},
             {"const unsigned int split = ", "total.cu"},
             {"const unsigned int first = next + u * 128", "rows.cu"},
         }) {
        const char* const place = each_place.first;
        const char* const golden = each_place.second;
        std::vector<tests::kind> after = all;
        for (tests::kind& each : after)
            for (std::size_t at = 0; (at = each.source.text.find(place, at)) != std::string::npos;
                 at += changed.size() + std::strlen(place))
                each.source.text.insert(at, changed);
        std::set<std::string> differ;
        for (const auto& [name, text] : tests::skeletons(after))
            if (now.at(name) != text) differ.insert(name);
        std::string names;
        for (const std::string& name : differ) names += name + " ";
        CHECK_MESSAGE(names == golden + std::string(" "), std::string(place), " changes ", names);
    }
}

TEST_CASE("golden: the project's first page shows the kernel of five x") {
    const k::array<float> x = k::ones<float>({100});
    const std::string page = tests::text_of_file(tests::source_folder() + "/README.md");
    CHECK(page.find("```cuda\n" + tests::sources({}, x + x + x + x + x).at(0).text + "```") != page.npos);
}
