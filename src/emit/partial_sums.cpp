#include <emit/partial_sums.hpp>

#include <emit/reduction_text.hpp>
#include <plan/partial_sums.hpp>
#include <text/format.hpp>

#include <utility>

namespace kiln::emit {

namespace {

constexpr int warp = 32;
constexpr int warps = plan::partial_sum_lanes / warp;
static_assert(warps == 8);  // pairs of them are written out below
static_assert(plan::most_partial_sums == 2 * plan::partial_sum_lanes);

/// The sum to the bit as the last block of the kernel that left the partial sums would have made it: each of 256 lanes adds up
/// every 256th partial sum; then the lanes of a warp are combined in pairs, then the warps.
constexpr const char* finalize_text =
    "// What the last of the blocks that left these partial sums would have made of them, in the same order.\n"
    "__device__ __forceinline__ {t} finalize(const {t}* partial_sums, int count, {t}* of_warp)\n{{\n"
    "    #pragma unroll\n"
    "    for (int lane = threadIdx.x; lane < {lanes}; lane += {threads}) {{\n"
    "        const {t} first = lane < count ? partial_sums[lane] : {identity};\n"
    "        const {t} second = lane + {lanes} < count ? partial_sums[lane + {lanes}] : {identity};\n"
    "        {t} mine = sum_of_two(first, second);\n"
    "        union {{ {t} all; unsigned int word[sizeof({t}) / 4]; }} other;\n"
    "        #pragma unroll\n"
    "        for (int apart = 16; apart > 0; apart /= 2) {{\n"
    "            other.all = mine;\n"
    "            #pragma unroll\n"
    "            for (int i = 0; i < static_cast<int>(sizeof({t}) / 4); ++i)\n"
    "                other.word[i] = __shfl_down_sync(0xffffffffu, other.word[i], apart);\n"
    "            mine = sum_of_two(mine, other.all);\n"
    "        }}\n"
    "        if (lane % 32 == 0) of_warp[lane / 32] = mine;\n"
    "    }}\n"
    "    __syncthreads();\n"
    "    const {t} even = sum_of_two(sum_of_two(of_warp[0], of_warp[4]), sum_of_two(of_warp[2], of_warp[6]));\n"
    "    const {t} odd = sum_of_two(sum_of_two(of_warp[1], of_warp[5]), sum_of_two(of_warp[3], of_warp[7]));\n"
    "    return sum_of_two(even, odd);\n}}\n";

}  // namespace

std::string partial_sum_functions(const plan::kernel& of) {
    std::string out;
    bool done[element_type_count] = {};
    for (const plan::operand& each : of.inputs) {
        if (!each.is_partial || std::exchange(done[static_cast<int>(each.type)], true)) continue;
        const char* const type = spelling(each.type);
        out += text::format("__device__ __forceinline__ {0} sum_of_two({0} x0, {0} x1) {{ return {1}; }}\n", type,
                            sum_text(each.type));
        out += text::format(fmt::runtime(finalize_text), fmt::arg("t", type),
                            fmt::arg("lanes", plan::partial_sum_lanes), fmt::arg("threads", of.threads_per_block),
                            fmt::arg("identity", identity_text(detail::reduction_kind::sum, each.type)));
    }
    return out;
}

std::string partial_sums_name(const std::string& operand) { return "partial_sums_of_" + operand; }

std::string partial_sum_lines(const value_names& names, const plan::kernel& of) {
    std::string out;
    for (const plan::operand& each : of.inputs) {
        if (!each.is_partial) continue;
        const std::string name = names(each.value);
        const char* const type = spelling(each.type);
        const std::size_t offset = plan::partial_sums_offset / static_cast<std::size_t>(bytes_of(each.type));
        out += text::format(
            "    __shared__ {0} warps_of_{1}[{2}];\n"
            "    const {0} sum_{1} = finalize({3} + {4}, at.word[{5}], warps_of_{1});\n"
            "    const {0}* const {1} = &sum_{1};\n",
            type, name, warps, partial_sums_name(name), offset, each.partial_count_word);
    }
    return out;
}

}  // namespace kiln::emit
