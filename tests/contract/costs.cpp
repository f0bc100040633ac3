// The manual, "What it costs": asked before it is paid, counted after.
#include "require.hpp"

#include <kiln/format.hpp>
#include <kiln/kiln.hpp>

#include <fmt/format.h>

namespace k = kiln;

int main() {
    const k::array<float> x = k::arange<float>(1000);
    k::array<float> y;
    auto e = x + x + x + x + x;

    auto plan = k::explain(e);  // kernels, source, bytes, where in the cache
    fmt::print("{}\n", plan);
    REQUIRE(plan.kernels.size() == 1);
    REQUIRE(plan.kernels[0].bytes_read == 4000);
    k::prepare(e);  // compile or load now, launch nothing
    const k::counters prepared = k::counters::now();
    y = k::label("five x", e);           // a name in tables and traces
    k::counters n = k::counters::now();  // .launches .compiles .memory_hits .disk_hits .misses .bytes_read
                                         // .bytes_written .lower_ns .plan_ns .emit_ns .compile_ns .load_ns
                                         // .launch_ns
    REQUIRE(n.launches == prepared.launches + 1);
    REQUIRE(n.compiles == prepared.compiles);
    fmt::print("{}\n", n - prepared);
    const auto fused = y.to_host();
    {
        k::scoped_options off({.fuse = false});
        y = e;
    }  // the same answer as one kernel per operator: what fusion saved
    REQUIRE(k::counters::now().launches == n.launches + 4);
    REQUIRE(y.to_host() == fused);
    REQUIRE(fused[999] == 4995.0f);
}
