// README.md, "What it does today": an expression of the host's memory, what explain() says of its chunks, and what a profile saw of them.
#include "require.hpp"

#include <kiln/host_array.hpp>
#include <kiln/kiln.hpp>

#include <cmath>
#include <cstdio>

namespace k = kiln;

int main() {
    const bool is_cpu = k::current_device().kind() == k::device_kind::cpu;  // which reads x where it is: no chunks
    const std::int64_t count = is_cpu ? 1 << 16 : 1 << 26;
    if (!is_cpu) (void)k::measure(k::current_device());

    const k::host_array<float> x(k::random::uniform<float>({count}, 1));
    k::host_array<float> y({count});  // page-locked, as x is
    const auto wave = k::sqrt(k::sin(x) * k::sin(x) + k::cos(x) * k::cos(x));
    y = wave;  // compiles

    std::puts(k::to_string(k::explain(wave)).c_str());
    k::profile seen;
    y = k::label("wave", wave);  // chunks come in, are computed and leave beside each other
    std::puts(seen.summary().c_str());

    REQUIRE(std::fabs(y.data()[count / 3] - 1.0f) < 1e-5f);
    REQUIRE((k::explain(wave).chunks.count > 1) == !is_cpu);
    REQUIRE((seen.summary().find("hidden") != std::string::npos) == !is_cpu);
}
