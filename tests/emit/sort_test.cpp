// What kernels of sorts are called, and that names tell their texts apart.
#include <emit/sort_text.hpp>

#include <doctest/doctest.h>

#include <map>

namespace k = kiln;

TEST_CASE("kernels of sorts: one name, one text, whatever the extents are") {
    std::map<std::string, std::string> texts;
    for (const k::element_type type : {k::element_type::boolean, k::element_type::int8, k::element_type::float16,
                                       k::element_type::bfloat16, k::element_type::float32, k::element_type::uint64})
        for (const bool descending : {false, true})
            for (const bool positions : {false, true})
                for (const auto& [count, kept] :
                     std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 0},
                                                                        {64, 0},
                                                                        {100, 0},
                                                                        {300, 0},
                                                                        {1000, 0},
                                                                        {1500, 0},
                                                                        {4096, 0},
                                                                        {4097, 0},
                                                                        {1000000, 0},
                                                                        {1 << 30, 0},
                                                                        {5, 2},
                                                                        {100, 64},
                                                                        {4096, 1},
                                                                        {1000000, 10},
                                                                        {std::int64_t{1} << 33, 10}})
                    for (const k::plan::sort_step& each : k::plan::plan_sort({.type = type,
                                                          .descending = descending,
                                                          .positions = positions,
                                                          .rows = 2,
                                                          .count = count,
                                                          .kept = kept},
                                                                             k::plan::cuda_target)
                                                              .steps) {
                        const k::emit::source source = k::emit::sort_source(each);
                        CHECK(source.name == k::emit::sort_name(each));
                        CHECK(source.text.find("void __launch_bounds__(") != std::string::npos);
                        CHECK(source.text.find(" " + source.name + "(") != std::string::npos);
                        CHECK(source.text.find("KILN_") == std::string::npos);
                        const auto [known, is_new] = texts.emplace(source.name, source.text);
                        CHECK(known->second == source.text);
                    }
    CHECK(texts.count("kiln_sort_f32_pass") == 1);
    CHECK(texts.count("kiln_argsort_bf16_rows1024_descending") == 1);
    CHECK(texts.count("kiln_argsort_f32_select64x256_descending") == 1);
    CHECK(texts.count("kiln_argsort_u64_pass_wide") == 1);
}
