// workloads/images.py and grids.py
#include "kiln_side.hpp"

namespace kiln::bench {

namespace {

namespace k = kiln;
using byte = std::uint8_t;

program gray(const inputs& in) {
    const auto& rgb = in.get<byte>(0);
    const auto& weights = in.get<float>(1);
    return computes<byte>(
        [=](k::array<byte>& y) { y = k::cast<byte>(k::rint(k::sum(k::cast<float>(rgb) * weights, k::axis(2)))); });
}

program gamma(const inputs& in) {
    const auto& x = in.get<byte>(0);
    return computes<byte>(
        [=](k::array<byte>& y) { y = k::cast<byte>(k::rint(255 * k::pow(k::cast<float>(x) / 255, 0.4545f))); });
}

program alpha_blend(const inputs& in) {
    const auto& a = in.get<byte>(0);
    const auto& b = in.get<byte>(1);
    const auto& alpha = in.get<byte>(2);
    return computes<byte>([=](k::array<byte>& y) {
        const auto share = k::cast<float>(alpha) / 255;
        y = k::cast<byte>(k::rint(share * k::cast<float>(a) + (1 - share) * k::cast<float>(b)));
    });
}

/// The part of p that is `rows` and `columns` further on, as large as a result without the border of `border`.
auto window(const k::array<float>& p, std::int64_t rows, std::int64_t columns, std::int64_t border) {
    return p(k::range(rows, p.shape()[0] - border + rows), k::range(columns, p.shape()[1] - border + columns));
}

program sobel(const inputs& in) {
    const auto& p = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) {
        const auto at = [&](std::int64_t i, std::int64_t j) { return window(p, i, j, 2); };
        const auto gx = (at(0, 2) + 2 * at(1, 2) + at(2, 2)) - (at(0, 0) + 2 * at(1, 0) + at(2, 0));
        const auto gy = (at(2, 0) + 2 * at(2, 1) + at(2, 2)) - (at(0, 0) + 2 * at(0, 1) + at(0, 2));
        y = k::sqrt(gx * gx + gy * gy);
    });
}

program box(const inputs& in) {
    const auto& p = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) {
        k::expr<float> total = window(p, 0, 0, 3);
        for (int i = 1; i < 16; ++i) total = total + window(p, i / 4, i % 4, 3);
        y = total / 16;
    });
}

program heat(const inputs& in) {
    const auto& u = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) {
        const auto here = window(u, 1, 1, 2);
        y = here +
            0.2f * (window(u, 0, 1, 2) + window(u, 2, 1, 2) + window(u, 1, 0, 2) + window(u, 1, 2, 2) - 4 * here);
    });
}

program wave(const inputs& in) {
    const auto& start = in.get<float>(0);
    const auto& start_before = in.get<float>(1);
    return computes<float, float>([=](k::array<float>& u, k::array<float>& before) {
        u = start;
        before = start_before;
        for (int i = 0; i < 10; ++i) {
            using k::boundary::wrap;
            const auto around = k::shift(u, {1, 0}, wrap) + k::shift(u, {-1, 0}, wrap) + k::shift(u, {0, 1}, wrap) +
                                k::shift(u, {0, -1}, wrap);
            // What `before` holds is not needed again: the new values go there.
            before = 2 * u - before + 0.1f * (around - 4 * u);
            std::swap(u, before);
        }
    });
}

}  // namespace

const workload_list& image_workloads() {
    static const workload_list all = {
        {"gray", gray}, {"gamma", gamma}, {"alpha_blend", alpha_blend}, {"sobel", sobel}, {"box", box},
        {"heat", heat}, {"wave", wave},
    };
    return all;
}

}  // namespace kiln::bench
