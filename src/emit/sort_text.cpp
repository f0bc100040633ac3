#include <emit/sort_text.hpp>

#include <emit/body.hpp>
#include <emit/helpers.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

/// An unsigned integer with an element's bits.
const char* bits_of(element_type type) {
    switch (bytes_of(type)) {
        case 1: return "u8";
        case 2: return "u16";
        case 4: return "u32";
        default: return "u64";
    }
}

/// The bits of an infinity.
const char* infinity_of(element_type type) {
    switch (type) {
        case element_type::float16: return "0x7c00";
        case element_type::bfloat16: return "0x7f80";
        case element_type::float32: return "0x7f800000u";
        default: return "0x7ff0000000000000ull";
    }
}

/// A key of an element x.
std::string key_of(element_type type) {
    if (kind_of(type) == element_kind::floating)
        return text::format("key_of_float<{}>(x, {})", bits_of(type), infinity_of(type));
    if (detail::is_signed_integer(type)) return text::format("key_of_signed<{}>(x)", bits_of(type));
    return "x";
}

/// An element of its key.
std::string value_of(element_type type, const std::string& key) {
    if (kind_of(type) == element_kind::floating)
        return text::format("float_of_key<{}>({}, {})", bits_of(type), key, infinity_of(type));
    if (detail::is_signed_integer(type)) return text::format("key_of_signed<{}>({})", bits_of(type), key);
    return key;
}

/// Elements of a type by their keys; for a network, which may make elements of keys, the way back, and whether it leads to all of them.
std::string order_of(const plan::sort_step& step) {
    const char* const bits = bits_of(step.type);
    const auto in_order = [&](const std::string& key) {
        return step.descending ? text::format("static_cast<{}>(~{})", bits, key) : key;
    };
    std::string back;
    if (step.what == plan::sort_kind::network)
        back = text::format(
            "    static __device__ __forceinline__ {0} value({0} key) {{ return {1}; }}\n    static constexpr bool "
            "exact = {2};\n",
            bits, value_of(step.type, in_order("key")), kind_of(step.type) != element_kind::floating);
    return text::format(
        "struct row_order {{\n    typedef {0} bits;\n    static __device__ __forceinline__ {0} key({0} x) {{ return "
        "{1}; }}\n{2}}};\n\n",
        bits, in_order(key_of(step.type)), back);
}

/// What a network compares.
const char* word_of(const plan::sort_step& step) {
    const std::int64_t bytes = bytes_of(step.type);
    if (bytes == 8) return step.compares_places() ? "placed_key" : "u64";
    return bytes == 4 && step.compares_places() ? "u64" : "u32";
}

std::string call_of(const plan::sort_step& step) {
    const plan::sort_tile tile = plan::tile_of(step);
    const char* const places = step.has_places ? "true" : "false";
    const char* const count = step.wide ? "u64" : "u32";
    switch (step.what) {
        case plan::sort_kind::network:
            return text::format(
                "sort_rows_in_lanes<row_order, {}, {}, {}, {}, {}, {}>(to, from, static_cast<i64*>(places_to), rows, "
                "n, static_cast<int>(kept));",
                word_of(step), step.compares_places(), places, tile.threads, tile.lanes, tile.elements);
        case plan::sort_kind::block:
            return text::format("sort_row<row_order, {}, {}, {}, {}>(to, from, static_cast<i64*>(places_to), n);",
                                places, step.digits(), tile.threads, tile.elements);
        case plan::sort_kind::select:
            return text::format(
                "select_first<row_order, {}, {}, {}, {}>(to, from, static_cast<i64*>(places_to), static_cast<const "
                "i64*>(places_from), n, parts, static_cast<int>(kept));",
                bytes_of(step.type) == 8 ? "u64" : "u32", places, plan::selection_parts(step), tile.threads);
        case plan::sort_kind::clear:
            return text::format("clear_counts(tickets, {} + rows * {});", plan::sort_tickets,
                                step.digits() * 256 * step.count_bytes() / 4);
        case plan::sort_kind::count:
            return text::format(
                "count_row<row_order, {0}, {1}, {2}, {3}>(from, reinterpret_cast<{0}*>(tickets + {4}), "
                "static_cast<{0}*>(states), rows * ((n + {5}) / {6}) * 256, n);",
                count, step.digits(), tile.threads, plan::sort_part, plan::sort_tickets, tile.length() - 1,
                tile.length());
        case plan::sort_kind::pass: break;
    }
    return text::format(
        "sort_pass<row_order, {0}, {6}, {1}, {2}, {3}>(to, from, places_to, places_from, tickets, "
        "reinterpret_cast<{0}*>(tickets + {4}), static_cast<{0}*>(states), rows, n, static_cast<int>(digit), {5});",
        count, places, tile.threads, tile.elements, plan::sort_tickets, step.digits(),
        step.has_places ? count : "u32");  // of places that there are not, no room is taken
}

const char* text_of(plan::sort_kind what) {
    switch (what) {
        case plan::sort_kind::network: return "network";
        case plan::sort_kind::block: return "rows";
        case plan::sort_kind::select: return "select";
        case plan::sort_kind::clear: return "clear";
        case plan::sort_kind::count: return "count";
        case plan::sort_kind::pass: break;
    }
    return "pass";
}

}  // namespace

std::string sort_name(const plan::sort_step& of) {
    if (of.what == plan::sort_kind::clear)
        return text::format("kiln_sort_clear{}{}", of.digits(), of.wide ? "_wide" : "");
    std::string name =
        text::format("kiln_{}_{}_{}", of.has_places ? "argsort" : "sort", info(of.type).suffix, text_of(of.what));
    if (of.what == plan::sort_kind::network)
        name += text::format("{}x{}", plan::tile_of(of).lanes, plan::tile_of(of).elements);
    if (of.what == plan::sort_kind::select)
        name += text::format("{}x{}", plan::selection_parts(of), plan::tile_of(of).threads);
    if (of.what == plan::sort_kind::block) name += text::format("{}", plan::tile_of(of).length());
    if (of.descending) name += "_descending";
    if (of.wide) name += "_wide";
    return name;
}

source sort_source(const plan::sort_step& of) {
    source out{sort_name(of),
               {},
               text::format("{}{} of {}: {}", of.has_places ? "argsort" : "sort", of.descending ? ", descending," : "",
                            info(of.type).name, text_of(of.what))};
    const bool clears = of.what == plan::sort_kind::clear;
    if (clears) out.expression = "sort: clear counts";
    const std::string order = clears ? "" : order_of(of);
    const char* const bits = bits_of(of.type);
    // Two blocks of a pass hide each other's waits: with the registers of one, an H200 took half as long again.
    const std::string kernel = text::format(
        "extern \"C\" __global__ void __launch_bounds__({0}{4}) {1}({2}* to, const {2}* from, void* places_to, "
        "const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 "
        "kept, const i64 parts)\n"
        "{{\n    wait_for_earlier_kernels();\n    {3}\n}}\n",
        plan::tile_of(of).threads, out.name, bits, call_of(of), of.what == plan::sort_kind::pass ? ", 2" : "");
    const std::string all = helpers_for(order + kernel, plan::frame::cuda) + "\n" + order + kernel;
    out.text = text::format("// {}\n", out.expression) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
