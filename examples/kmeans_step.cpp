// Clustering by k-means: each point belongs to the nearest centre, each centre moves to the mean of its points.
//
//     kmeans_step [points [centres]]
//
// argmin finds the nearest centre along the axis of the centres, from distances that are computed as they are compared: the
// array of all distances is never stored. Nothing is copied to the host until the end.
#include "measure.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace k = kiln;

namespace {

/// Of (n, 1) coordinates against (1, c) ones, (n).
k::array<std::int64_t> nearest(const k::array<float>& x, const k::array<float>& y, const k::array<float>& centre_x,
                               const k::array<float>& centre_y) {
    const auto dx = x(k::all, k::newaxis) - centre_x(k::newaxis, k::all);
    const auto dy = y(k::all, k::newaxis) - centre_y(k::newaxis, k::all);
    return k::argmin(dx * dx + dy * dy, k::axis(1));
}

/// The mean of the points of each centre, which stays where it is if it has none.
void move(k::array<float>& centre, const k::array<float>& coordinate, const k::array<std::int64_t>& owner) {
    const auto mine = owner(k::all, k::newaxis) == k::index(1);
    const auto zero = k::zeros<float>({coordinate.size(), centre.size()});
    const auto [total, count] = k::eval(k::sum(k::where(mine, coordinate(k::all, k::newaxis), zero), k::axis(0)),
                                        k::sum(k::where(mine, zero + 1.0f, zero), k::axis(0)));
    centre = k::where(count > 0.0f, total / count, centre);
}

void run(std::int64_t points, std::int64_t centres) {
    fmt::print("{} points, {} centres, on {}\n\n", points, centres, device_text());
    const k::array<float> x = k::random::uniform<float>({points}, 1);
    const k::array<float> y = k::random::uniform<float>({points}, 2);
    k::array<float> centre_x = k::array<float>(k::slice(x, k::range(0, centres)));
    k::array<float> centre_y = k::array<float>(k::slice(y, k::range(0, centres)));

    const std::vector<float> px = x.to_host();
    const std::vector<float> py = y.to_host();
    const std::vector<float> cx = centre_x.to_host();
    const std::vector<float> cy = centre_y.to_host();
    const std::vector<std::int64_t> found = nearest(x, y, centre_x, centre_y).to_host();
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < px.size(); ++i) {
        const auto distance = [&](std::int64_t c) {
            const double dx = static_cast<double>(px[i]) - cx[static_cast<std::size_t>(c)];
            const double dy = static_cast<double>(py[i]) - cy[static_cast<std::size_t>(c)];
            return dx * dx + dy * dy;
        };
        double least = std::numeric_limits<double>::infinity();
        for (std::int64_t c = 0; c < centres; ++c) least = std::min(least, distance(c));
        wrong += distance(found[i]) > least + 1e-6;
    }

    const auto step = [&] {
        const k::array<std::int64_t> owner = nearest(x, y, centre_x, centre_y);
        move(centre_x, x, owner);
        move(centre_y, y, owner);
    };
    const k::counters before = k::counters::now();
    const double first_ms = milliseconds(step);
    const k::counters cost = k::counters::now() - before;
    fmt::print("first step {:.2f} ms, of which {:.2f} compiling {} kernels; then {:.3f} ms, {} launches\n\n", first_ms,
               static_cast<double>(cost.compile_ns) * 1e-6, cost.compiles, median_milliseconds(step), cost.launches);
    check(wrong == 0, "the nearest centre of every point");

    const std::vector<float> moved = centre_x.to_host();
    check(std::all_of(moved.begin(), moved.end(), [](float each) { return each >= 0 && each <= 1; }),
          "centres are among the points");
}

}  // namespace

int main(int argc, char** argv) try {
    const bool on_gpu = k::current_device().is_cuda();
    run(argc > 1 ? std::atoll(argv[1]) : on_gpu ? 4'000'000 : 200'000, argc > 2 ? std::atoll(argv[2]) : 16);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "kmeans_step: {}\n", trouble.what());
    return 1;
}
