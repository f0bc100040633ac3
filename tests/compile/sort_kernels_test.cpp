// Kernels of sorts of more elements than 32 bits count, which few GPUs have memory for: NVRTC has room for what they share.
#include <compile/nvrtc.hpp>
#include <emit/sort_text.hpp>
#include <plan/sort.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace k = kiln;

#if KILN_HAS_CUDA

TEST_CASE("kernels of sorts that count in 64 bits compile, of elements of every size, with places and without") {
    k::compile::nvrtc_toolchain nvrtc("sm_90");
    if (!nvrtc.is_there()) return;
    nvrtc.open();
    for (const k::element_type type :
         {k::element_type::uint8, k::element_type::float16, k::element_type::float32, k::element_type::float64})
        for (const bool positions : {false, true}) {
            const k::plan::sort_plan plan = k::plan::plan_sort(
                {.type = type, .positions = positions, .rows = 1, .count = (std::int64_t{1} << 31) + 5},
                k::plan::cuda_target);
            for (const k::plan::sort_step& each : plan.steps) {
                if (each.what != k::plan::sort_kind::pass || each.digit != 0) continue;
                REQUIRE(each.wide);
                CHECK_FALSE(nvrtc.compile(k::emit::sort_source(each)).bytes.empty());
            }
        }
}

#endif
