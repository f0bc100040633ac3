// The manual, "Several outputs": one kernel, shared work done once.
#include "require.hpp"

#include <kiln/kiln.hpp>

namespace k = kiln;

namespace {

constexpr float dt = 0.125f;

auto step_f(const k::array<float>& f, const k::array<float>& g, const k::array<float>& d) {
    return f + dt * (d * d) * g;
}
auto step_g(const k::array<float>& f, const k::array<float>& g, const k::array<float>& d) {
    return g - dt * (d * d) * f;
}

}  // namespace

int main() {
    const k::array<float> f = k::arange<float>(1000);
    const k::array<float> g = k::ones<float>({1000}) * 3.0f;
    const k::array<float> d = k::full<float>({1000}, 0.5f);
    const k::counters before = k::counters::now();

    auto [f1, g1] = k::eval(step_f(f, g, d), step_g(f, g, d));

    REQUIRE((k::counters::now() - before).launches == 1);
    const auto fs = f1.to_host();
    const auto gs = g1.to_host();
    for (std::size_t i = 0; i < fs.size(); ++i) {
        const float at = static_cast<float>(i);
        REQUIRE(fs[i] == at + dt * (0.5f * 0.5f) * 3.0f);
        REQUIRE(gs[i] == 3.0f - dt * (0.5f * 0.5f) * at);
    }
}
