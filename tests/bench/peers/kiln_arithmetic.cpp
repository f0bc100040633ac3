// workloads/arithmetic.py
#include "kiln_side.hpp"

#include <complex>

namespace kiln::bench {

namespace {

namespace k = kiln;

program five_additions(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = x + x + x + x + x; });
}

program table_product(const inputs& in) {
    const auto& table = in.get<double>(0);
    const auto& x = in.get<double>(1);
    return computes<double>([=](k::array<double>& y) { y = table * x; });
}

program row_column_matrix(const inputs& in) {
    const auto& row = in.get<float>(0);
    const auto& column = in.get<float>(1);
    const auto& m = in.get<float>(2);
    return computes<float>([=](k::array<float>& y) { y = row + column + m; });
}

program plus_transposed(const inputs& in) {
    const auto& m = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = m + k::transpose(m); });
}

program horner(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) {
        k::expr<float> result = 0.0625f * x + 0.125f;
        for (int i = 0; i < 15; ++i) result = result * x + (0.5f - 0.0625f * static_cast<float>(i));
        y = result;
    });
}

program gelu(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = 0.5f * x * (1 + k::erf(x * 0.7071067811865476f)); });
}

program gelu_half(const inputs& in) {
    const auto& x = in.get<k::float16>(0);
    return computes<k::float16>(
        [=](k::array<k::float16>& y) { y = 0.5f * x * (1 + k::tanh(0.7978845608f * (x + 0.044715f * x * x * x))); });
}

program swish(const inputs& in) {
    const auto& x = in.get<k::bfloat16>(0);
    return computes<k::bfloat16>([=](k::array<k::bfloat16>& y) { y = x / (1 + k::exp(-x)); });
}

program complex_product(const inputs& in) {
    using complex = std::complex<float>;
    const auto& z = in.get<complex>(0);
    const auto& w = in.get<complex>(1);
    return computes<complex>([=](k::array<complex>& y) {
        const auto length = k::square(k::real(z)) + k::square(k::imag(z));
        y = k::where(length < 0.5f, z * w, z);
    });
}

program polar(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& y = in.get<float>(1);
    return computes<float, float>([=](k::array<float>& radius, k::array<float>& angle) {
        std::tie(radius, angle) = k::eval(k::sqrt(x * x + y * y), k::atan2(y, x));
    });
}

program mandelbrot(const inputs& in) {
    const auto& ci = in.get<float>(0);
    const auto& cr = in.get<float>(1);
    // A long expression: looked at once.
    const auto points = k::fuse([](auto from_i, auto from_r) {
        k::expr<float> zr = from_r + 0 * from_i;
        k::expr<float> zi = from_i + 0 * from_r;
        k::expr<float> steps = 0 * zr;
        for (int i = 0; i < 20; ++i) {
            const k::expr<float> rr = zr * zr;
            const k::expr<float> ii = zi * zi;
            const k::expr<bool> inside = rr + ii < 4;
            steps = steps + k::cast<float>(inside);
            zi = k::where(inside, 2 * zr * zi + from_i, zi);
            zr = k::where(inside, rr - ii + from_r, zr);
        }
        return steps;
    });
    return computes<float>([=](k::array<float>& y) { y = points(ci, cr); });
}

program saxpy(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& y = in.get<float>(1);
    return computes<float>([=](k::array<float>& z) { z = 2.5f * x + y; });
}

}  // namespace

const workload_list& elementwise_workloads() {
    static const workload_list all = {
        {"five_additions", five_additions},
        {"table_product", table_product},
        {"row_column_matrix", row_column_matrix},
        {"plus_transposed", plus_transposed},
        {"horner", horner},
        {"gelu", gelu},
        {"gelu_half", gelu_half},
        {"swish", swish},
        {"complex_product", complex_product},
        {"polar", polar},
        {"mandelbrot", mandelbrot},
        {"saxpy", saxpy},
    };
    return all;
}

}  // namespace kiln::bench
