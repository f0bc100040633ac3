// The manual, "A graph built at run time": k::expr<T> erases the expression's type.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <vector>

namespace k = kiln;

int main() {
    const k::array<float> x = k::arange<float>(1000) * 1e-3f;
    std::vector<k::array<float>> coefficients;
    for (int i = 0; i < 8; ++i) coefficients.push_back(k::full<float>({1000}, 1.0f / static_cast<float>(i + 1)));
    const k::counters before = k::counters::now();

    k::expr<float> poly = coefficients.back();  // std::vector<k::array<float>>
    for (auto i = coefficients.size() - 1; i-- > 0;) poly = poly * x + coefficients[i];

    const k::array<float> y = poly;
    REQUIRE((k::counters::now() - before).launches == 1);
    const auto ys = y.to_host();
    for (std::size_t i = 0; i < ys.size(); ++i) {
        const float at = static_cast<float>(i) * 1e-3f;
        float sum = 1.0f / 8.0f;
        for (int j = 7; j-- > 0;) sum = sum * at + 1.0f / static_cast<float>(j + 1);
        REQUIRE(ys[i] == sum);
    }
}
