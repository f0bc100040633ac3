// A step's threads, as plan/scan.hpp divides the elements among them. `to` and `from` may be one array: what a thread writes,
// it or its block has read before, and nobody else reads.
#include <emit/cuda_scan.hpp>

#include <emit/body.hpp>
#include <emit/cuda_values.hpp>
#include <emit/frames.hpp>
#include <emit/helpers.hpp>
#include <emit/reduction_text.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using plan::scan_mapping;
using plan::scan_step;

const char* declaration(plan::role of) {
    switch (of) {
        case plan::role::scan_result: return "accumulators* to";
        case plan::role::scan_operand: return "const accumulators* from";
        case plan::role::scan_offsets: return "const accumulators* offsets";
        case plan::role::scan_outer: return "long long outer";
        case plan::role::scan_count: return "long long count";
        case plan::role::scan_inner: return "long long inner";
        case plan::role::scan_part: return "long long part";
        default: return "long long parts";
    }
}

std::string parameters() {
    std::string out;
    for (const plan::parameter& each : plan::scan_signature)
        out += text::format("{}{}", out.empty() ? "" : ", ", declaration(each.what));
    return out;
}

/// One thread for part p of line (o, i). Eight loads go out before the first is needed.
std::string column_lines(const scan_step& of) {
    std::string out =
        "    const long long number = blockIdx.x * 256ll + threadIdx.x;\n"
        "    if (number >= outer * parts * inner) return;\n"
        "    const long long i = number % inner;\n"
        "    const long long p = number / inner % parts;\n"
        "    const long long o = number / inner / parts;\n"
        "    const long long left = count - p * part;\n"
        "    const long long length = left < part ? left : part;\n"
        "    const long long first = (o * count + p * part) * inner + i;\n";
    out += of.totals_only ? "    accumulators sum = identity();\n"
                          : "    accumulators sum = offsets && p > 0 ? offsets[number - inner] : identity();\n";
    const char* const store = of.totals_only ? "" : " to[first + (x + u) * inner] = sum;";
    out += text::format(
        "    long long x = 0;\n"
        "    for (; x + 8 <= length; x += 8) {{\n"
        "        accumulators next[8];\n"
        "        #pragma unroll\n"
        "        for (int u = 0; u < 8; ++u) next[u] = from[first + (x + u) * inner];\n"
        "        #pragma unroll\n"
        "        for (int u = 0; u < 8; ++u) {{ sum = combine(sum, next[u]);{0} }}\n"
        "    }}\n"
        "    const int u = 0;\n"
        "    for (; x < length; ++x) {{ sum = combine(sum, from[first + (x + u) * inner]);{0} }}\n",
        store);
    return out + (of.totals_only ? "    to[number] = sum;\n" : "");
}

/// A warp's `items_per_thread` vectors of each lane, in v. What is past the line's end changes nothing.
std::string row_loads(const scan_step& of, int items_per_thread, int vector) {
    const bool block = of.mapping == scan_mapping::rows;
    return text::format(
        "    const int warp = threadIdx.x / 32;\n"
        "    const int lane = threadIdx.x % 32;\n"
        "    const long long number = {0};\n"
        "{1}"
        "    const long long row = number / parts;\n"
        "    const long long p = number - row * parts;\n"
        "    const long long first = p * {2}{3};\n"
        "    const long long left = count - first;\n"
        "    const long long at = row * count + first + lane * {4};\n"
        "    vectors v[{5}];\n"
        "    if (left >= {6} && reinterpret_cast<unsigned long long>(from + at) % 16 == 0) {{\n"
        "        #pragma unroll\n"
        "        for (int r = 0; r < {5}; ++r) {{\n"
        "            const uint4 bits = *reinterpret_cast<const uint4*>(from + at + r * {7});\n"
        "            v[r] = reinterpret_cast<const vectors&>(bits);\n"
        "        }}\n"
        "    }} else {{\n"
        "        #pragma unroll\n"
        "        for (int r = 0; r < {5}; ++r)\n"
        "            #pragma unroll\n"
        "            for (int k = 0; k < {4}; ++k)\n"
        "                v[r].v[k] = r * {7} + lane * {4} + k < left ? from[at + r * {7} + k] : identity();\n"
        "    }}\n",
        block ? "blockIdx.x" : "blockIdx.x * 8ll + warp", block ? "" : "    if (number >= outer) return;\n",
        32 * items_per_thread * vector * (block ? plan::scan_threads / 32 : 1),
        block ? text::format(" + warp * {}", 32 * items_per_thread * vector) : std::string(), vector, items_per_thread,
        32 * items_per_thread * vector, 32 * vector);
}

std::string row_total_lines() {
    return "    accumulators sum = identity();\n"
           "    #pragma unroll\n"
           "    for (const vectors& each : v)\n"
           "        #pragma unroll\n"
           "        for (const accumulators& one : each.v) sum = combine(sum, one);\n"
           "    #pragma unroll\n"
           "    for (int apart = 16; apart > 0; apart /= 2) sum = combine(sum, from_lane(sum, (lane + apart) % 32));\n"
           "    __shared__ accumulators of_warp[8];\n"
           "    if (lane == 0) of_warp[warp] = sum;\n"
           "    __syncthreads();\n"
           "    if (threadIdx.x != 0) return;\n"
           "    for (int w = 1; w < 8; ++w) sum = combine(sum, of_warp[w]);\n"
           "    to[number] = sum;\n";
}

/// A thread's vector, then the vectors of the lanes before it, the rounds before, the warps before, the parts before.
std::string row_scan_lines(const scan_step& of, int items_per_thread, int vector) {
    std::string out = text::format(
        "    accumulators before = identity();\n"
        "    #pragma unroll\n"
        "    for (int r = 0; r < {0}; ++r) {{\n"
        "        #pragma unroll\n"
        "        for (int k = 1; k < {1}; ++k) v[r].v[k] = combine(v[r].v[k - 1], v[r].v[k]);\n"
        "        accumulators sum = v[r].v[{1} - 1];\n"
        "        #pragma unroll\n"
        "        for (int apart = 1; apart < 32; apart *= 2) {{\n"
        "            const accumulators other = from_lane(sum, lane - apart & 31);\n"
        "            if (lane >= apart) sum = combine(other, sum);\n"
        "        }}\n"
        "        const accumulators beside = from_lane(sum, lane - 1 & 31);\n"
        "        const accumulators ahead = lane > 0 ? combine(before, beside) : before;\n"
        "        #pragma unroll\n"
        "        for (int k = 0; k < {1}; ++k) v[r].v[k] = combine(ahead, v[r].v[k]);\n"
        "        before = combine(before, from_lane(sum, 31));\n"
        "    }}\n",
        items_per_thread, vector);
    if (of.mapping == scan_mapping::rows)
        out += text::format(
            "    __shared__ accumulators of_warp[8];\n"
            "    if (lane == 0) of_warp[warp] = before;\n"
            "    __syncthreads();\n"
            "    before = offsets && p > 0 ? offsets[number - 1] : identity();\n"
            "    for (int w = 0; w < warp; ++w) before = combine(before, of_warp[w]);\n"
            "    #pragma unroll\n"
            "    for (int r = 0; r < {0}; ++r)\n"
            "        #pragma unroll\n"
            "        for (int k = 0; k < {1}; ++k) v[r].v[k] = combine(before, v[r].v[k]);\n",
            items_per_thread, vector);
    return out +
           text::format(
               "    if (left >= {2} && reinterpret_cast<unsigned long long>(to + at) % 16 == 0) {{\n"
               "        #pragma unroll\n"
               "        for (int r = 0; r < {0}; ++r)\n"
               "            *reinterpret_cast<uint4*>(to + at + r * {3}) = reinterpret_cast<const uint4&>(v[r]);\n"
               "    }} else {{\n"
               "        #pragma unroll\n"
               "        for (int r = 0; r < {0}; ++r)\n"
               "            #pragma unroll\n"
               "            for (int k = 0; k < {1}; ++k)\n"
               "                if (r * {3} + lane * {1} + k < left) to[at + r * {3} + k] = v[r].v[k];\n"
               "    }}\n",
               items_per_thread, vector, 32 * items_per_thread * vector, 32 * vector);
}

}  // namespace

std::string scan_name(const scan_step& of) {
    const char* const mapping = of.mapping == scan_mapping::columns ? "column"
                                : of.mapping == scan_mapping::rows  ? "row"
                                                                    : "short_row";
    return text::format("kiln_cum{}_{}_{}{}", detail::info(of.what).name, info(of.type).suffix, mapping,
                        of.totals_only ? "_totals" : "s");
}

source scan_source(const scan_step& of) {
    plan::kernel kernel;
    kernel.reduced.push_back({of.what, of.type, of.type});
    const std::string combination =
        reduction_functions(value_names(lower::program(), kernel), {reductions_of_outputs(kernel)}, plan::frame::cuda);

    std::string lines;
    std::string functions;
    if (of.mapping == scan_mapping::columns) {
        lines = column_lines(of);
    } else {
        const int vector = 16 / bytes_of(of.type);
        const int items_per_thread = plan::scan_elements(of.type) / vector;
        functions = text::format("struct __align__(16) vectors {{ accumulators v[{}]; }};\n", vector) +
                    accumulators_of_another("What a lane of the warp has.", "from_lane", "lane",
                                            "__shfl_sync(0xffffffffu, bits.word[i], lane)");
        lines = row_loads(of, items_per_thread, vector);
        lines += of.totals_only ? row_total_lines() : row_scan_lines(of, items_per_thread, vector);
    }
    const std::string what = text::format("cum{} of {}", detail::info(of.what).name, info(of.type).name);
    source out{scan_name(of), {}, what};
    const std::string all = helpers_for(combination, plan::frame::cuda, false) + combination + functions + "\n" +
                            kernel_text(out.name, plan::scan_threads, parameters(), lines);
    out.text = text::format("// {}\n", what) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
