// The manual, "Loops": a body recorded once and replayed.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cmath>
#include <tuple>
#include <vector>

namespace k = kiln;

int main() {
    k::array<float> f = k::ones<float>({1000});
    k::array<float> g = k::zeros<float>({1000});
    k::array<float> d = k::ones<float>({});
    const float dt = 0.01f;

    k::graph step({&f, &g, &d}, [&] {
        std::tie(f, g) = k::eval(f - dt * d * g, g + dt * d * f);
        d = k::mean(f * f + g * g);
    });
    step.replay(100);            // as a hundred calls of the body, without the host
    k::array<float> before = f;  // keeps its values, as any copy does
    step.replay();               // one more

    float fs = 1, gs = 0, ds = 1, was = 0;
    for (int i = 0; i < 101; ++i) {
        was = fs;
        const float next = fs - dt * ds * gs;
        gs = gs + dt * ds * fs;
        fs = next;
        ds = fs * fs + gs * gs;
    }
    REQUIRE(std::abs(f.to_host()[999] - fs) < 1e-4f);
    REQUIRE(std::abs(g.to_host()[0] - gs) < 1e-4f);
    REQUIRE(std::abs(d.item() - ds) < 1e-4f);
    REQUIRE(std::abs(before.to_host()[500] - was) < 1e-4f);
    REQUIRE(std::abs(was - fs) > 1e-3f);
}
