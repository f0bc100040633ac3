// What kernels of rows by segments are called, and that names tell their texts apart.
#include <emit/segment_rows_text.hpp>
#include <emit/source.hpp>
#include <plan/policy/segments.hpp>

#include <doctest/doctest.h>

#include <map>

namespace k = kiln;

namespace {

using kind = k::detail::segment_call::kind;

std::vector<k::plan::segment_row_step> steps_of(kind what, std::int64_t rows, std::int64_t inside, std::int64_t count,
                                                k::element_type numbers, k::element_type values) {
    k::detail::segment_call by{.what = what, .count = count * inside};
    by.inside = inside;
    return k::plan::plan_segment_rows(by, rows * inside, numbers, values).steps;
}

}  // namespace

TEST_CASE("kernels of rows by segments: one name, one text, whatever the extents are") {
    std::map<std::string, std::string> texts;
    for (const k::element_type values : {k::element_type::boolean, k::element_type::int8, k::element_type::float16,
                                         k::element_type::float32, k::element_type::float64, k::element_type::uint64})
        for (const kind what : {kind::sum, kind::least, kind::greatest})
            for (const std::int64_t inside : {2, 3, 8, 64, 65, 100, 1000})
                for (const std::int64_t count : {1, 100, 9000, 100000})
                    for (const k::element_type numbers : {k::element_type::uint8, k::element_type::int64})
                        for (const k::plan::segment_row_step& each :
                             steps_of(what, 300000, inside, count, numbers, values)) {
                            const k::emit::source source = k::emit::segment_rows_source(each);
                            CHECK(source.name == k::emit::segment_rows_name(each));
                            CHECK(source.text.find(" " + source.name + "(") != std::string::npos);
                            CHECK(source.text.find("KILN_") == std::string::npos);
                            const auto [known, is_new] = texts.emplace(source.name, source.text);
                            CHECK(known->second == source.text);
                        }
    CHECK(texts.count("kiln_segment_rows_sum_f32_16x4_8") == 1);
    CHECK(texts.count("kiln_segment_rows_rank_u8_shared") == 1);
}

TEST_CASE("kernels of short rows by segments know the types of their values") {
    for (const k::element_type values : {k::element_type::float16, k::element_type::bfloat16})
        for (const kind what : {kind::sum, kind::least, kind::greatest})
            for (const std::int64_t count : {9, 3000}) {
                k::detail::segment_call by{.what = what, .count = count};
                by.inside = 3;
                for (const k::plan::segment_step& each :
                     plan_segments(by, 900'000, k::element_type::int32, values, k::plan::cuda_target).steps) {
                    const std::string text = k::emit::emit(k::plan::segment_nest(each), segment_text(each)).text;
                    const std::string name = k::info(values).suffix;
                    CAPTURE(text);
                    if (text.find(" " + name + "* ") != text.npos) CHECK(text.find("enum class " + name) != text.npos);
                }
            }
}

TEST_CASE("rows by segments: of few rows each a warp takes a segment, of many a block; wide rows are in tiles") {
    const auto finish = [](std::int64_t inside, std::int64_t count, k::element_type values) {
        return steps_of(kind::sum, 100000, inside, count, k::element_type::int32, values)[4];
    };
    const auto share = [&](std::int64_t inside, std::int64_t count, k::element_type values) {
        return k::plan::share_of(finish(inside, count, values));
    };
    CHECK(share(64, 100, k::element_type::float32).warps == 8);
    CHECK(share(64, 50000, k::element_type::float32).warps == 1);
    CHECK(share(64, 100, k::element_type::float32).vector == 4);
    CHECK(share(64, 100, k::element_type::float32).lanes == 16);
    CHECK(share(65, 100, k::element_type::float32).vector == 1);
    CHECK(share(66, 100, k::element_type::float32).vector == 2);
    CHECK(share(64, 100, k::element_type::float64).vector == 2);
    CHECK(block_count(finish(64, 100, k::element_type::float32)) == 100);
    CHECK(block_count(finish(1000, 100, k::element_type::float32)) == 800);
    CHECK(block_count(finish(64, 50000, k::element_type::float32)) == 6250);
}
