// workloads/finance.py, training.py, physics.py and data.py
#include "kiln_side.hpp"

namespace kiln::bench {

namespace {

namespace k = kiln;
using k::newaxis;

// --- Finance ---------------------------------------------------------------------------------------------------------

program black_scholes(const inputs& in) {
    const auto& s = in.get<float>(0);
    const auto& strike = in.get<float>(1);
    const auto& t = in.get<float>(2);
    return computes<float>([=](k::array<float>& call) {
        const float rate = 0.02f;
        const float volatility = 0.3f;
        const auto root = k::sqrt(t);
        const auto d1 = (k::log(s / strike) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        const auto d2 = d1 - volatility * root;
        call = s * k::normcdf(d1) - strike * k::exp(-rate * t) * k::normcdf(d2);
    });
}

program annuity(const inputs& in) {
    const auto& payment = in.get<double>(0);
    const auto& rate = in.get<double>(1);
    const auto& years = in.get<double>(2);
    return computes<double>(
        [=](k::array<double>& value) { value = payment * (1 - k::exp(-years * k::log1p(rate))) / rate; });
}

program asian_option(const inputs& in) {
    const auto& shocks = in.get<float>(0);
    return computes<float>([=](k::array<float>& price) {
        const auto log_price = k::cumsum(0.0001f + 0.02f * shocks, k::axis(1));
        const auto average = k::mean(100 * k::exp(log_price), k::axis(1));
        price = 0.98f * k::mean(k::max(average - 100, 0.0f));
    });
}

// --- Training --------------------------------------------------------------------------------------------------------

program adam(const inputs& in) {
    const auto& p = in.get<float>(0);
    const auto& g = in.get<float>(1);
    const auto& m = in.get<float>(2);
    const auto& v = in.get<float>(3);
    return computes<float, float, float>([=](k::array<float>& p1, k::array<float>& m1, k::array<float>& v1) {
        const auto first = 0.9f * m + 0.1f * g;
        const auto second = 0.999f * v + 0.001f * g * g;
        std::tie(p1, m1, v1) = k::eval(p - 0.01f * (first / 0.19f) / (k::sqrt(second / 0.002f) + 1e-8f), first, second);
    });
}

program sgd_momentum(const inputs& in) {
    const std::size_t layers = in.size() / 3;
    std::vector<k::array<float>> p;
    std::vector<k::array<float>> g;
    std::vector<k::array<float>> v;
    for (std::size_t i = 0; i < layers; ++i) {
        p.push_back(in.get<float>(i));
        g.push_back(in.get<float>(layers + i));
        v.push_back(in.get<float>(2 * layers + i));
    }
    return computes_list<float>(2 * layers, [=](std::vector<k::array<float>>& to) {
        for (std::size_t i = 0; i < layers; ++i) {
            const auto velocity = 0.9f * v[i] + g[i];
            std::tie(to[2 * i], to[2 * i + 1]) = k::eval(p[i] - 0.01f * velocity, velocity);
        }
    });
}

program logistic_gradient(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& label = in.get<float>(1);
    const auto& weight = in.get<float>(2);
    return computes<float>([=](k::array<float>& gradient) {
        const auto guess = k::sigmoid(k::sum(x * weight, k::axis(1), k::keep_dims));
        gradient = k::mean((guess - label(k::all, newaxis)) * x, k::axis(0));
    });
}

// --- Physics ---------------------------------------------------------------------------------------------------------

program n_body(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& y = in.get<float>(1);
    const auto& z = in.get<float>(2);
    const auto& from_x = in.get<float>(3);
    const auto& from_y = in.get<float>(4);
    const auto& from_z = in.get<float>(5);
    const auto& mass = in.get<float>(6);
    return computes<float, float, float>([=](k::array<float>& ax, k::array<float>& ay, k::array<float>& az) {
        const auto dx = from_x - x(k::all, newaxis);
        const auto dy = from_y - y(k::all, newaxis);
        const auto dz = from_z - z(k::all, newaxis);
        const auto square = dx * dx + dy * dy + dz * dz + 0.01f;
        const auto pull = mass / (square * k::sqrt(square));
        std::tie(ax, ay, az) =
            k::eval(k::sum(pull * dx, k::axis(1)), k::sum(pull * dy, k::axis(1)), k::sum(pull * dz, k::axis(1)));
    });
}

program lotka_volterra(const inputs& in) {
    const auto& prey = in.get<float>(0);
    const auto& predators = in.get<float>(1);
    // A long expression: looked at once.
    const auto step = k::fuse([](auto x, auto y, auto h) {
        const auto slope_x = [](const k::expr<float>& a, const k::expr<float>& b) {
            return k::expr<float>(1.1f * a - 0.4f * a * b);
        };
        const auto slope_y = [](const k::expr<float>& a, const k::expr<float>& b) {
            return k::expr<float>(0.1f * a * b - 0.4f * b);
        };
        const k::expr<float> x1 = slope_x(x, y), y1 = slope_y(x, y);
        const k::expr<float> xa = x + 0.5f * h * x1, ya = y + 0.5f * h * y1;
        const k::expr<float> x2 = slope_x(xa, ya), y2 = slope_y(xa, ya);
        const k::expr<float> xb = x + 0.5f * h * x2, yb = y + 0.5f * h * y2;
        const k::expr<float> x3 = slope_x(xb, yb), y3 = slope_y(xb, yb);
        const k::expr<float> xc = x + h * x3, yc = y + h * y3;
        const k::expr<float> x4 = slope_x(xc, yc), y4 = slope_y(xc, yc);
        return std::tuple(x + h / 6.0f * (x1 + 2 * x2 + 2 * x3 + x4), y + h / 6.0f * (y1 + 2 * y2 + 2 * y3 + y4));
    });
    return computes<float, float>(
        [=](k::array<float>& x1, k::array<float>& y1) { std::tie(x1, y1) = step(prey, predators, 0.01f); });
}

// --- Points ----------------------------------------------------------------------------------------------------------

program nearest_centre(const inputs& in) {
    const auto& points = in.get<float>(0);
    const auto& centres = in.get<float>(1);
    return computes<std::int64_t>([=](k::array<std::int64_t>& nearest) {
        const auto apart = points(k::all, newaxis, k::all) - centres(newaxis, k::all, k::all);
        nearest = k::argmin(k::sum(apart * apart, k::axis(2)), k::axis(1));
    });
}

program distances(const inputs& in) {
    const auto& a = in.get<float>(0);
    const auto& b = in.get<float>(1);
    return computes<float>([=](k::array<float>& square) {
        const auto apart = a(k::all, newaxis, k::all) - b(newaxis, k::all, k::all);
        square = k::sum(apart * apart, k::axis(2));
    });
}

program great_circle(const inputs& in) {
    const auto& latitude = in.get<float>(0);
    const auto& longitude = in.get<float>(1);
    const auto& to_latitude = in.get<float>(2);
    const auto& to_longitude = in.get<float>(3);
    return computes<float>([=](k::array<float>& kilometres) {
        const auto up = k::sin(0.5f * (to_latitude - latitude));
        const auto across = k::sin(0.5f * (to_longitude - longitude));
        const auto chord = up * up + k::cos(latitude) * k::cos(to_latitude) * across * across;
        kilometres = 12742.0f * k::asin(k::sqrt(k::min(chord, 1.0f)));
    });
}

}  // namespace

const workload_list& model_workloads() {
    static const workload_list all = {
        {"black_scholes", black_scholes},
        {"annuity", annuity},
        {"asian_option", asian_option},
        {"adam", adam},
        {"sgd_momentum", sgd_momentum},
        {"logistic_gradient", logistic_gradient},
        {"n_body", n_body},
        {"lotka_volterra", lotka_volterra},
        {"nearest_centre", nearest_centre},
        {"distances", distances},
        {"great_circle", great_circle},
    };
    return all;
}

}  // namespace kiln::bench
