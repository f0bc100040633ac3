#include <emit/segment_rows_text.hpp>

#include <emit/body.hpp>
#include <emit/helpers.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using plan::segment_pass;
using plan::segment_row_pass;
using plan::segment_row_step;

const char* text_of(segment_row_pass what) {
    static constexpr const char* names[] = {"clear", "rank", "place", "order", "", "magnitudes", "words", "finish"};
    return names[static_cast<int>(what)];
}

const char* text_of(segment_pass makes) {
    switch (makes) {
        case segment_pass::least: return "min";
        case segment_pass::greatest: return "max";
        default: return "sum";
    }
}

bool is_float(const segment_row_step& of) { return kind_of(of.values) == element_kind::floating; }

/// An element as a word, x, of its unit.
std::string word_of(const segment_row_step& of) {
    if (of.makes == segment_pass::parts)
        return of.has_rests() ? "segment_part(x, of.magnitude, of.digits)" : "segment_part_by(segment_real(x), of)";
    if (of.makes != segment_pass::sum && is_float(of))
        return text::format("segment_ordered_{}(segment_real(x))",
                            of.makes == segment_pass::least ? "least" : "greatest");
    if (of.makes != segment_pass::sum && of.values == element_type::uint64) return "segment_signed(x)";
    return "static_cast<i64>(x)";
}

/// A result, of its words.
std::string result_of(const segment_row_step& of) {
    const char* const suffix = info(of.values).suffix;
    if (of.has_magnitudes()) return text::format("segment_total_{}(magnitude, word, rest, setting)", suffix);
    if (of.makes == segment_pass::sum) return "word";
    if (is_float(of) || of.values == element_type::uint64) return text::format("segment_extreme_{}(word)", suffix);
    return text::format("static_cast<{}>(word)", spelling(of.values));
}

const char* both_of(segment_pass makes) {
    switch (makes) {
        case segment_pass::least: return "a < b ? a : b";
        case segment_pass::greatest: return "a > b ? a : b";
        default: return "a + b";
    }
}

const char* atomic_of(segment_pass makes) {
    switch (makes) {
        case segment_pass::least: return "atomic_least";
        case segment_pass::greatest: return "atomic_greatest";
        default: return "atomic_sum";
    }
}

/// What is made of rows of a type: what the pieces call `by`.
std::string rows_of(const segment_row_step& of) {
    const plan::segment_row_share share = plan::share_of(of);
    std::string out;
    const auto function = [&](const char* returns, const char* name, const char* parameters, const std::string& is) {
        out += text::format("    static __device__ __forceinline__ {} {}({}) {{ return {}; }}\n", returns, name,
                            parameters, is);
    };
    const bool magnitudes = of.has_magnitudes(), rests = of.has_rests();
    out += text::format(
        "struct rows {{\n    typedef {} element;\n    typedef {} result;\n    typedef {} unit;\n"
        "    static constexpr int vector = {}, ahead = {};\n"
        "    static constexpr bool has_magnitudes = {}, has_rests = {};\n",
        spelling(of.values), of.makes == segment_pass::sum ? "i64" : spelling(of.values),
        rests        ? "segment_digits"
        : magnitudes ? "double"
                     : "int",
        share.vector, share.ahead, magnitudes, rests);
    function("int", "key", "element x", magnitudes ? "segment_key(x)" : "0");
    function("int", "infinity", "element x", magnitudes ? "segment_infinity(segment_real(x))" : "0");
    function("i64", "magnitude", "int key", rests ? "key" : magnitudes ? "segment_magnitude_of_key(key)" : "0");
    function("unit", "unit_of", "i64 magnitude, i64 setting",
             rests        ? "{magnitude, setting}"
             : magnitudes ? "segment_scale(magnitude, setting)"
                          : "0");
    function("i64", "nothing", "i64 setting",
             of.makes == segment_pass::least || of.makes == segment_pass::greatest ? "setting" : "0");
    function("i64", "word", "element x, unit of", word_of(of));
    function("i64", "rest", "element x, unit of", rests ? "segment_rest(x, of.magnitude, of.digits)" : "0");
    function("i64", "both", "i64 a, i64 b", both_of(of.makes));
    function("void", "put", "i64* at, i64 word", text::format("{}(at, word)", atomic_of(of.makes)));
    function("result", "finish", "i64 magnitude, i64 word, i64 rest, i64 setting", result_of(of));
    return out + "};\n\n";
}

bool reads_rows(const segment_row_step& of) { return of.pass >= segment_row_pass::finish_short; }

std::string call_of(const segment_row_step& of) {
    const plan::segment_row_share share = plan::share_of(of);
    switch (of.pass) {
        case segment_row_pass::clear: return "clear_segment_lengths(at, segments);";
        case segment_row_pass::rank:
            return text::format("rank_rows_by_segments<{}>(numbers, at, row_count, segments);",
                                plan::has_rank_table(of) ? plan::rank_table : 0);
        case segment_row_pass::place:
            return text::format("place_segments<{}, {}>(at, segments);", plan::longest_segment, plan::segment_row_part);
        case segment_row_pass::order: return "order_rows_by_segments(numbers, at, row_count);";
        case segment_row_pass::finish_short:
            return text::format(
                "finish_short_segments<rows, {}, {}, {}>(result, words, values, at, segments, inside, setting);",
                share.lanes, share.warps, plan::longest_segment);
        case segment_row_pass::magnitudes:
        case segment_row_pass::words:
            return text::format("take_part_of_segment<rows, {}, {}, {}>(words, values, at, segments, inside, setting);",
                                share.lanes, plan::segment_row_part, of.pass == segment_row_pass::magnitudes);
        case segment_row_pass::finish_long: break;
    }
    return "finish_long_segments<rows>(result, words, at, segments, inside, setting);";
}

}  // namespace

std::string segment_rows_name(const segment_row_step& of) {
    std::string name = "kiln_segment_rows";
    if (const std::string pass = text_of(of.pass); !pass.empty()) name += "_" + pass;
    if (of.reads_numbers()) name += text::format("_{}", info(of.numbers).suffix);
    if (plan::has_rank_table(of)) name += "_shared";
    if (!reads_rows(of)) return name;
    const plan::segment_row_share share = plan::share_of(of);
    name += text::format("_{}_{}_{}x{}", text_of(of.makes), info(of.values).suffix, share.lanes, share.vector);
    if (of.pass == segment_row_pass::finish_short) name += text::format("_{}", share.warps);
    return name;
}

std::string segment_rows_text(const segment_row_step& of) {
    if (!reads_rows(of)) return text::format("rows by segments: {}", text_of(of.pass));
    const char* const step = of.pass == segment_row_pass::finish_short ? "" : ", long ones: ";
    return text::format("rows by segments: {} of {}{}{}", text_of(of.makes), info(of.values).name, step,
                        text_of(of.pass));
}

source segment_rows_source(const segment_row_step& of) {
    source out{segment_rows_name(of), {}, segment_rows_text(of)};
    const bool sums_integers = of.makes == segment_pass::sum;
    const std::string made = reads_rows(of) ? rows_of(of) : "";
    // Three blocks hide each other's waits: with the registers of two, an H100 took a tenth more time.
    const std::string kernel = text::format(
        "extern \"C\" __global__ void __launch_bounds__({0}{6}) {1}({2}* result, i64* words, const {3}* numbers, "
        "const {4}* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, "
        "const i64 setting)\n"
        "{{\n    wait_for_earlier_kernels();\n"
        "    const segment_places at = segment_places_in(places, row_count, segments, parts);\n    {5}\n}}\n",
        plan::threads_per_block(of), out.name, sums_integers || !reads_rows(of) ? "i64" : spelling(of.values),
        of.reads_numbers() ? spelling(of.numbers) : "int", reads_rows(of) ? spelling(of.values) : "int", call_of(of),
        of.pass == segment_row_pass::finish_short ? ", 3" : "");
    const std::string all = helpers_for(made + kernel, plan::frame::cuda) + "\n" + made + kernel;
    out.text = text::format("// {}\n", out.expression) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
