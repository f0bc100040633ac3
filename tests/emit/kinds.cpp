#include "kinds.hpp"

#include <plan/nest/exchange_nests.hpp>
#include <support/partial_sum.hpp>
#include <support/rooms.hpp>

#include <emit/segment_rows_text.hpp>
#include <emit/sort_text.hpp>
#include <plan/nest/check.hpp>
#include <plan/nest/print.hpp>
#include <plan/policy/policies.hpp>
#include <plan/policy/resumed.hpp>
#include <plan/policy/scan.hpp>
#include <plan/policy/segments.hpp>

#include <doctest/doctest.h>

#include <complex>

namespace tests {

namespace {

namespace k = kiln;

constexpr k::plan::frame cuda = k::plan::frame::cuda;
constexpr k::plan::frame host = k::plan::frame::host;

class list {
public:
    /// Of what is one kernel.
    void add(const std::string& name, k::plan::frame on, const std::vector<k::emit::source>& sources) {
        REQUIRE_MESSAGE(sources.size() == 1, name);
        all_.push_back({name, on, sources[0]});
    }
    void add(const std::string& name, const k::plan::nest::tree& of, const std::string& expression,
             const k::emit::element_steps* steps = nullptr) {
        all_.push_back({name, cuda, k::emit::emit(of, expression, steps), k::plan::nest::print(of),
                        why_wrong(of, k::plan::cuda_target_of(90))});
    }
    template <class... Es>
    void on_cuda(const std::string& name, const Es&... es) {
        add_kernel(k::plan::cuda_target, name, es...);
    }
    template <class... Es>
    void on_tensor_cores(const std::string& name, const Es&... es) {
        add_kernel(k::plan::cuda_target_of(90), name, es...);
    }
    template <class... Es>
    void add_kernel(const k::plan::target& on, const std::string& name, const Es&... es) {
        const k::plan::schedule made = first_stage_schedule(on, es...);
        REQUIRE_MESSAGE(made.kernels.size() == 1, name);
        const k::plan::kernel& only = made.kernels.front();
        const auto nest = k::plan::nest_of(made.program, only);
        all_.push_back(
            {name, cuda, k::emit::emit(made.program, only, cuda), k::plan::nest::print(nest), why_wrong(nest, on)});
    }
    template <class... Es>
    void on_host(const std::string& name, const Es&... es) {
        add(name, host, first_stage_sources(k::plan::host_target, es...));
    }
    template <class... Es>
    void on_both(const std::string& name, const Es&... es) {
        on_cuda(name, es...);
        on_host(name, es...);
    }
    std::vector<kind> take() { return std::move(all_); }

private:
    std::vector<kind> all_;
};

template <class T>
k::array<T> ones(const k::shape& extents) {
    return k::ones<T>(extents);
}

/// Elements in the order of memory.
void add_contiguous(list& to) {
    const k::array<float> x = ones<float>({100});
    const k::array<double> d = ones<double>({100});
    to.on_both("contiguous", x + x + x + x + x);
    to.on_both("several_outputs", (ones<std::uint8_t>({100}) + ones<std::uint8_t>({100})) * d, d < 1.0);
    const k::array<float> long_x = ones<float>({107});
    const auto from = [&](std::int64_t first) { return long_x(k::range(first, first + 100)); };
    to.on_cuda("windows", (from(1) + from(2) + from(3) + from(7)) * x);
    to.on_cuda("misaligned", ones<float>({101})(k::range(1, 101)) + x);
    // Memory of the user's: nobody reads it.
    alignas(16) static std::complex<double> memory[100];
    const auto between_vectors =
        k::wrap(reinterpret_cast<std::complex<double>*>(reinterpret_cast<char*>(memory) + sizeof(double)), {99});
    to.on_cuda("misaligned_complex", between_vectors + between_vectors);
    const auto many = k::full<float>({std::int64_t{1} << 32}, 1.0f);
    to.on_cuda("wide_index", many + k::arange<float>(std::int64_t{1} << 32));
    const k::array<k::float16> h = ones<k::float16>({100});
    to.on_cuda("float16", h * h + k::exp(h));
    const auto bytes = [] { return k::cast<float>(ones<std::uint8_t>({100})); };
    to.on_both("bytes_blended", k::cast<std::uint8_t>(k::rint(bytes() / 255.0f * bytes() + bytes())));
    to.on_cuda("byte_table", k::cast<std::uint8_t>(k::rint(k::pow(bytes() / 255.0f, 0.45f) * 255.0f)));
    to.on_cuda("conditions_counted", k::cast<float>(x > 0.0f) + k::cast<float>(x > 1.0f));
    to.on_cuda("heavy", x / (x + 1.0f) / (x + 2.0f) / (x + 3.0f) / (x + 4.0f));
    // What is assumed has no test; of elements that memory is waited for, nothing has one.
    to.on_cuda("roots", k::sqrt(x), k::reciprocal(x * k::sqrt(x) + x), x / (k::abs(x) * k::sqrt(k::abs(x))));
    const auto known = k::assume<false>(x, 0.5, 2);
    to.on_cuda("roots_in_range", k::sqrt(known) * k::reciprocal(known) + known / k::square(known) * k::rsqrt(known));
    k::expr<k::float16> remainders = h;
    for (int i = 0; i < 3; ++i) remainders = k::floor_mod(h, remainders);
    to.on_cuda("heavy_float16", remainders);
    to.on_cuda("random", k::random::uniform<float>({100}, 7));
    const k::array<std::complex<double>> z = ones<std::complex<double>>({100});
    to.on_both("complex", k::abs(z) * z);
    // Texts of operations and helpers, around which the kernel is that of any other.
    to.on_both("complex64", ones<std::complex<float>>({100}) * std::complex<float>(0, 1));
    const k::array<std::int32_t> i = ones<std::int32_t>({100});
    to.on_both("integers", i / i + i % i, (i << 3) / k::popcount(i), k::cast<std::uint8_t>(k::min(x, 300.0f)));
    const k::array<std::int64_t> wide = ones<std::int64_t>({100});
    to.on_cuda("divided_by_scalars", k::floor_mod(i / 365, -7) - k::floor_divide(i, 4096), wide % std::int64_t{1000},
               k::cast<std::uint32_t>(i) / 10u);
    to.on_both("functions", k::floor_divide(x, x) * k::sigmoid(x) + k::sin(x));
    to.on_host("functions_of_float16", k::gelu(h) + k::pow(h, h) * k::cbrt(ones<k::float16>({})));
    const k::array<k::float16> g = ones<k::float16>({100}), p = ones<k::float16>({100}), q = ones<k::float16>({100});
    to.on_host("steps_of_float16", h * h + h);
    to.on_host("vectors_of_float16", k::cast<k::bfloat16>(k::clamp(k::fma(h, g, p), q, h) * k::float16(2.0f)));
    to.on_host("steps_of_bfloat16",
               k::cast<k::float16>(k::cast<k::bfloat16>(h * g) * ones<k::bfloat16>({100}) + k::bfloat16(1.0f)));
    to.on_host("bytes_cut", k::cast<std::uint8_t>(bytes() * 0.75f + bytes()));
    to.on_host("rounded_steps_of_float16", k::round(h * h + h));
    to.on_host("function_of_random", k::exp(k::random::uniform<float>({100}, 7)));
    to.on_cuda("random_normal", k::random::normal<double>({100}, 7));
    k::array<float> y = ones<float>({100});
    to.add("in_place", cuda, sources({.outputs = {into(y)}}, y * y + y));
}

/// Elements whose places depend on positions.
void add_views(list& to) {
    const k::array<float> m = ones<float>({30, 50});
    const k::array<float> row = ones<float>({50});
    const k::array<float> column = ones<float>({30, 1});
    to.on_both("broadcast", k::exp(m + row + column));
    const k::array<float> u = ones<float>({40, 52});
    to.on_cuda("stencil_of_vectors", k::shift(u, {0, 1}, k::boundary::clamp) + u);
    const k::array<float> wide = ones<float>({40, 4001});
    to.on_both("stencil",
               k::exp(k::shift(wide, {1, 0}, k::boundary::clamp) + k::shift(wide, {0, -1}, k::boundary::mirror)));
    const auto near = [&](std::int64_t i, std::int64_t j) { return k::shift(wide, {i, j}); };
    to.on_cuda("shifted", near(1, 1) + near(1, 0) + near(1, -1) + near(0, 1) + near(-2, 0) - wide);
    to.on_both("from_outside", k::exp(k::shift(m, {1, 1}) - k::shift(m, {0, 2}, k::boundary::wrap)));
    const k::range back{k::range::open, k::range::open, -1};
    to.on_both("strided",
               k::exp(ones<float>({10, 6, 80})(k::range(0, 10, 2), k::range(0, 6, 2), back) * ones<float>({5, 3, 80})));
    const k::array<float> square = ones<float>({100, 100});
    to.on_host("evenly_in_pieces", k::exp(k::shift(square(k::all, k::range(0, 100, 2)), {0, 1}, k::boundary::clamp)));
    k::expr<float> polynomial = 0.5f * square;
    for (int i = 0; i < 6; ++i) polynomial = (polynomial + 0.25f) * square;
    to.on_host("woven_chain", polynomial);
    to.on_both("transposed", square + k::transpose(square));
    to.on_cuda("aligned_tiles", k::transpose(ones<k::float16>({100, 90})) * k::float16(2.0f));
    to.on_cuda("aligned_tiles_widened",
               k::permute(k::cast<float>(ones<std::uint8_t>({4, 100, 90})), {2, 0, 1}) * ones<float>({100}));
    to.on_host("transposed_wide_elements",
               k::transpose(ones<std::complex<double>>({40, 50, 60})) + ones<std::complex<double>>({60, 50, 40}));
    const k::array<std::int32_t> index = ones<std::int32_t>({20});
    to.on_both("gathered", k::take(m, index) * 2.0f);
    to.on_cuda("gathered_from_reshaped", k::take(k::reshape(k::transpose(m), {25, 60}), index, k::axis(1)));
    to.on_both("reshaped", k::exp(k::reshape(k::transpose(m), {25, 60})));
    to.on_host("reshaped_beside_rolled",
               k::exp(k::reshape(k::transpose(m), {25, 60})) * k::roll(ones<float>({25, 60}), 7, k::axis(1)));
    const auto colours = ones<std::uint8_t>({40, 50, 3});
    to.on_host("grey", k::cast<std::uint8_t>(k::slice(colours, k::all, k::all, 0) * 0.3f +
                                             k::slice(colours, k::all, k::all, 1) * 0.7f));
    to.on_both("two_shapes", m * row, row + row);
    to.on_both("position", k::where(k::index(0) >= k::index(1), m, 0.0f));
    const auto far = k::full<float>({std::int64_t{1} << 17, std::int64_t{1} << 16}, 1.0f);
    to.on_cuda("wide_positions", k::where(k::index(0) >= k::index(1), far, 0.0f));
    k::array<float> y = ones<float>({10, 20});
    const k::array<float> x = ones<float>({10, 10});
    const auto part = y(k::all, k::range(0, 20, 2));
    for (const k::plan::target& on : {k::plan::cuda_target, k::plan::host_target})
        to.add("into_slice", on.kind, sources({.on = on, .outputs = {through(part)}}, x * x));
    const k::array<float> three = ones<float>({100, 3});
    to.on_both("short_rows", ones<float>({3}) * ones<float>({100, 1}) + k::shift(three, {1, 0}, k::boundary::clamp));
    to.on_host("joined_rows", k::concatenate(k::axis(1), ones<std::uint8_t>({40, 50}), ones<std::uint8_t>({40, 70})));
    to.on_host("short_rows_turned", three + k::transpose(ones<float>({3, 100})));
    to.on_host("short_rows_of_any_length", k::exp(ones<float>({20, 5, 20}) * ones<float>({20, 1, 1}) +
                                                  k::shift(ones<float>({20, 5, 20}), {0, 0, 1}, k::boundary::clamp)));
}

void add_reductions(list& to) {
    const k::array<float> rows = ones<float>({3000, 400});
    to.on_cuda("rows", k::sum(rows * rows, k::axis(1)));
    to.on_cuda("rows_float16", k::min(ones<k::float16>({3000, 400}), k::axis(1)));
    to.on_cuda("rows_bfloat16", k::max(ones<k::bfloat16>({3000, 400}), k::axis(1)));
    to.on_cuda("rows_unaligned", k::mean(ones<std::complex<float>>({3000, 401}), k::axis(1)));
    const k::array<float> many = ones<float>({1000000});
    to.on_cuda("total", k::max(many));
    const k::array<k::float16> halves = ones<k::float16>({1000000});
    to.on_cuda("two_totals", k::sum(halves), k::max(halves));
    k::expr<float> long_body = many;
    for (int i = 0; i < 20; ++i) long_body = long_body * many + 1.0f;
    to.on_cuda("total_of_long_body", k::min(k::cast<k::bfloat16>(long_body)));
    to.on_cuda("columns", k::sum(rows, k::axis(0)));
    to.on_cuda("columns_unaligned", k::prod(ones<std::complex<float>>({300, 41}), k::axis(0)));
    to.on_cuda("contraction",
               k::sum(ones<float>({500, 40})(k::all, k::all, k::newaxis) * ones<float>({40, 600}), k::axis(1)));
    const auto apart = ones<float>({500, 8})(k::all, k::newaxis) - ones<float>({600, 8});
    to.on_cuda("contraction_of_rows", k::sum(apart * apart, k::axis(2)));
    const auto far_apart = ones<float>({500, 63})(k::all, k::newaxis) - ones<float>({600, 63});
    to.on_cuda("finished_distances", k::sqrt(k::sum(far_apart * far_apart, k::axis(2))));
    to.on_cuda("contraction_of_longer_rows",
               k::sum(ones<float>({500, 100})(k::all, k::newaxis) * ones<float>({600, 100}), k::axis(2)));
    to.on_tensor_cores("finished_product_of_floats",
                       k::tanh(k::matmul(ones<float>({1024, 640}), ones<float>({640, 1024})) + ones<float>({1024})));
    to.on_tensor_cores(
        "contraction_copied",
        k::sum(ones<float>({1024, 640})(k::all, k::all, k::newaxis) * ones<float>({640, 1024}), k::axis(1)));
    to.on_tensor_cores("contraction_of_lines", k::matmul(ones<float>({1024, 640}), ones<float>({640, 1024})));
    to.on_tensor_cores("contraction_of_few_columns", k::matmul(ones<float>({1 << 17, 16}), ones<float>({16, 5})));
    to.on_tensor_cores("contraction_of_many_lines", k::matmul(ones<float>({2048, 64}), ones<float>({64, 2048})));
    to.on_tensor_cores("tensor_contraction", k::matmul(ones<k::float16>({500, 40}), ones<k::float16>({40, 600})));
    to.on_tensor_cores("tensor_contraction_turned",
                       k::matmul(ones<k::bfloat16>({1500, 41}), k::transpose(ones<k::bfloat16>({1600, 41}))));
    to.on_tensor_cores("tensor_contraction_groups",
                       k::matmul(ones<k::bfloat16>({2500, 40}), k::transpose(ones<k::bfloat16>({2600, 40}))));
    to.on_tensor_cores("finished_product", k::max(k::matmul(ones<k::float16>({500, 40}), ones<k::float16>({40, 600})) +
                                                      ones<k::float16>({600}),
                                                  k::float16(0.0f)));
    const auto layer = k::matmul(ones<k::bfloat16>({2504, 40}), k::transpose(ones<k::bfloat16>({2600, 40}))) +
                       ones<k::bfloat16>({2600});
    to.on_tensor_cores("finished_product_groups", layer);
    to.on_tensor_cores("finished_product_functions", k::tanh(layer));
    to.on_tensor_cores("made_operand",
                       k::matmul(k::max(ones<k::float16>({512, 48}), k::float16(0.0f)), ones<k::float16>({48, 608})));
    to.on_tensor_cores(
        "made_operand_groups",
        k::matmul(ones<k::bfloat16>({2500, 40}), k::transpose(ones<k::bfloat16>({2600, 40})) * k::bfloat16(2.0f)));
    const k::array<std::uint32_t> bits = ones<std::uint32_t>({1700, 250});
    to.on_tensor_cores("bit_contraction",
                       k::cast<std::int32_t>(k::sum(k::popcount(bits(k::all, k::newaxis) & bits), k::axis(2))));
    const k::array<std::uint32_t> many_bits = ones<std::uint32_t>({6000, 256});
    const auto common_bits = [](const k::array<std::uint32_t>& of_rows, const k::array<std::uint32_t>& columns) {
        return k::cast<std::int32_t>(k::sum(k::popcount(of_rows(k::all, k::newaxis) & columns), k::axis(2)));
    };
    to.on_tensor_cores("bit_contraction_of_lines", common_bits(many_bits, ones<std::uint32_t>({6000, 256})));
    to.on_tensor_cores("bit_contraction_mirrored", common_bits(many_bits, many_bits));
    const k::array<std::uint32_t> odd_bits = ones<std::uint32_t>({2305, 256});
    to.on_tensor_cores("bit_contraction_mirrored_odd", common_bits(odd_bits, odd_bits));
    to.on_cuda("shared_rows",
               k::sum(1.0f / (k::square(ones<float>({2000}) - ones<float>({3000, 1})) + 1.0f), k::axis(1)));
    const auto from = k::square(ones<float>({9000}) - ones<float>({10300, 1}));
    to.on_cuda("lane_values",
               k::sum(k::rsqrt(from) + 2.0f / k::sqrt(from) + 3.0f / k::assume<false>(from + 1.0f, 1, 2), k::axis(1)));
    const auto difference = ones<float>({9000}) - ones<float>({10300, 1});
    to.on_cuda("lane_tiles", k::sum(k::rsqrt(difference), k::axis(1)), k::sum(k::sqrt(difference), k::axis(1)),
               k::max(difference, k::axis(1)));
    const auto inverse = k::reciprocal(k::sqrt(difference * difference));
    to.on_cuda("lane_tiles_anew", k::sum(inverse, k::axis(1)), k::sum(inverse * difference, k::axis(1)),
               k::sum(inverse * inverse, k::axis(1)));
    const k::array<std::uint8_t> image = ones<std::uint8_t>({100000, 3});
    to.on_cuda("interleaved", k::sum(k::cast<float>(image) * ones<float>({3}), k::axis(1)));
    to.on_cuda("interleaved_elements", k::cast<float>(image) / 255.0f * ones<float>({3}) - ones<float>({100000, 1}));
    to.on_cuda("interleaved_kept", k::rint(k::sum(k::cast<float>(image) * ones<float>({3}), k::axis(1))));
    to.on_cuda("variances", k::var(halves), k::stddev(halves));
    to.on_cuda("logarithm_read_once", k::logsumexp(ones<float>({1000000})));
    to.on_cuda("complex_variance", k::var(ones<std::complex<float>>({1000000})));
    to.on_cuda("position_of_largest", k::argmax(rows, k::axis(1)));
    to.on_cuda("position_of_least_square", k::argmin(k::square(rows), k::axis(1)));
    const auto to_centres = ones<float>({40'000, 8})(k::all, k::newaxis) - ones<float>({64, 8});
    to.on_tensor_cores("nearest_centre", k::argmin(k::sum(k::square(to_centres), k::axis(2)), k::axis(1)));
    const k::array<float> points = ones<float>({40'000, 32});
    const auto guess = k::sigmoid(k::sum(points * ones<float>({32}), k::axis(1), k::keep_dims));
    to.on_tensor_cores("crossed_columns", k::mean((guess - ones<float>({40'000, 1})) * points, k::axis(0)));
    to.on_host("crossed_columns", k::mean((guess - ones<float>({40'000, 1})) * points, k::axis(0)));
    const k::array<double> wide_rows = ones<double>({3000, 400});
    to.on_cuda("elements_beside", wide_rows + 1.0, k::sum(wide_rows + 1.0, k::axis(1)));
    const k::array<float> x = ones<float>({100000});
    to.on_cuda("ends_in_partial_sums", k::sum(x * x));
    const k::array<float> sum = k::zeros<float>({});
    const partial_sum partial(sum, 98);
    to.on_cuda("reads_partial_sums", x * sum);
    to.on_cuda("reduces_partial_sums", k::sum(rows * sum, k::axis(1)));
    to.on_cuda("rows_of_reshaped", k::sum(k::reshape(k::transpose(ones<float>({50, 640})), {64, 500}), k::axis(1)));
    to.on_cuda("wide_total",
               k::sum(k::full<float>({std::int64_t{1} << 32}, 1.0f) + k::arange<float>(std::int64_t{1} << 32)));
    const auto farther = k::reduction<float>(0.0f, "a", "b", "return fabsf(a) < fabsf(b) ? b : a;");
    to.on_both("users_reduction", farther(rows, k::axis(1)));
    const auto nearer = k::reduction<k::float16>(k::float16(1.0f), "a", "b", "return a < b ? a : b;");
    to.on_host("users_reduction_float16", nearer(ones<k::float16>({30, 40}), k::axis(1)));
    const auto nearest = k::reduction<k::bfloat16>(k::bfloat16(1.0f), "a", "b", "return a < b ? a : b;");
    to.on_host("users_reduction_bfloat16", nearest(ones<k::bfloat16>({30, 40}), k::axis(1)));
}

k::expr<float> softmax(const k::expr<float>& m, const k::axis_list& over) {
    const k::expr<float> e = k::exp(m - k::max(m, over, k::keep_dims));
    return e / k::sum(e, over, k::keep_dims);
}

k::expr<float> log_softmax(const k::expr<float>& m) {
    const k::expr<float> below = m - k::max(m, k::axis(1), k::keep_dims);
    return below - k::log(k::sum(k::exp(below), k::axis(1), k::keep_dims));
}

/// Persistent rows between reductions.
void add_persistent_rows(list& to) {
    to.on_both("softmax", softmax(ones<float>({640, 4096}), k::axis(1)));
    to.on_host("softmax_over_two_axes", softmax(ones<float>({64, 32, 64})(k::all, k::all, k::range(0, 60, 2)), {1, 2}));
    const k::array<float> short_rows = ones<float>({640, 100});
    to.on_host("log_softmax_in_tiles", log_softmax(short_rows * ones<float>({100})) + ones<float>({640, 1}));
    const k::array<float> places = ones<float>({64, 4096});
    const k::array<float> long_rows = ones<float>({40, 12000});
    to.on_host("variance_in_persistent_rows", long_rows * k::var(long_rows, k::axis(1), k::keep_dims));
    to.on_host("logarithm_in_persistent_rows", long_rows - k::logsumexp(long_rows, k::axis(1), k::keep_dims));
    to.on_host("position_in_persistent_rows", places * k::cast<float>(k::argmax(places, k::axis(1), k::keep_dims)));
    const k::array<k::float16> x = ones<k::float16>({700, 1001});
    const k::expr<float> in = k::cast<float>(x);
    const auto centred = in - k::mean(in, k::axis(1), k::keep_dims);
    const auto variance = k::mean(k::square(centred), k::axis(1), k::keep_dims);
    to.on_cuda("rows_by_neighbours", k::cast<k::float16>(centred) * ones<k::float16>({1001}));
    const k::expr<float> longer = k::cast<float>(ones<k::float16>({140, 24001}));
    const auto below = longer - k::max(longer, k::axis(1), k::keep_dims);
    to.on_cuda("skewed_rows", k::cast<k::float16>(below * k::cast<float>(ones<k::float16>({24001}))));
    to.on_tensor_cores("rows_in_shared_slots", k::cast<k::float16>(below));
    to.on_both("layer_norm", centred * k::rsqrt(variance + 1e-5f) * ones<float>({1001}));
    // A test of each result, and one branch to all of them.
    const auto apart = in - k::min(in, k::axis(1), k::keep_dims);
    to.on_cuda("roots_of_rows", k::sqrt(apart), k::reciprocal(apart + in));
    to.on_tensor_cores("softmax_of_columns", softmax(ones<float>({70, 512, 512}), k::axis(1)));
    to.on_host("softmax_of_columns", softmax(ones<float>({70, 512, 512}), k::axis(1)));
    const k::array<float> tall = ones<float>({4096, 8192});
    const auto about_mean = tall - k::mean(tall, k::axis(0));
    to.on_tensor_cores("columns_of_cluster", about_mean / k::sqrt(k::mean(k::square(about_mean), k::axis(0))));
    // 16 splits: two for each block of a cluster.
    const k::array<float> split = ones<float>({1024, 4096});
    to.on_tensor_cores("columns_of_many_splits", split / k::sum(split, k::axis(0)));
    // Beside the row: a mask by position, one value for each row, one row for all.
    const k::array<float> scores = ones<float>({700, 1024});
    const auto masked = k::where(k::index(1) < k::array<std::int64_t>(ones<std::int64_t>({700, 1})), scores, -1e9f);
    to.on_cuda("masked_softmax", softmax(masked, k::axis(1)) * ones<float>({1024}));
    // Rows of a table, by what is made of their ids.
    const auto found = k::take(ones<float>({5000, 768}), ones<std::int32_t>({300}) - 1, k::axis(0));
    to.on_cuda("rows_of_table", found - k::mean(found, k::axis(1), k::keep_dims));
    to.on_both("log_sum_exp", k::logsumexp(ones<double>({300, 40}), k::axis(1)));
    // Paths that are only averaged, of random steps: no element is read or written.
    const auto log_price = k::cumsum(k::random::uniform<float>({700, 64}, 7) * 0.02f - 0.01f, k::axis(1));
    to.on_cuda("scan_in_rows", k::max(k::mean(k::exp(log_price), k::axis(1)) - 1.0f, 0.0f));
}

/// Of what no policy needs yet.
void add_exchanges(list& to) {
    const auto add = [&to](const std::string& name, const std::vector<exchange_nest>& all) {
        to.add(name, all.front().tree, all.front().tree.name);
    };
    add("background_copies", background_copies());
    add("cluster_reads", remote_reads());
    add("cluster_sends", remote_sends());
    add("tile_f16", tile_sums(k::plan::nest::tile_shape::f16, true));
    add("tile_bf16", tile_sums(k::plan::nest::tile_shape::bf16, true));
    add("tile_s8", tile_sums(k::plan::nest::tile_shape::s8, false));
    add("tile_b1", tile_sums(k::plan::nest::tile_shape::b1, false));
}

void add_segments(list& to) {
    using kind = k::detail::segment_call::kind;
    const auto add = [&](const std::string& name, const k::detail::segment_call& by, k::element_type numbers,
                         k::element_type values, bool any_order = false) {
        int number = 0;
        for (const k::plan::segment_step& each :
             plan_segments(by, 1 << 20, numbers, values, k::plan::cuda_target, any_order).steps)
            to.add(name + (number++ ? std::to_string(number) : std::string()), k::plan::segment_nest(each),
                   k::plan::segment_text(each));
    };
    add("histogram_bytes", {kind::number, 256}, k::element_type::uint8, k::element_type::int64);
    add("histogram_range", {kind::number, 100, true, 0, 1}, k::element_type::float32, k::element_type::int64);
    add("histogram_range_doubles", {kind::number, 100, true, 0, 1}, k::element_type::float64, k::element_type::int64);
    add("segment_sum", {kind::sum, 1000}, k::element_type::int32, k::element_type::float32);
    add("segment_sum_doubles", {kind::sum, 5000}, k::element_type::int64, k::element_type::float64);
    k::detail::segment_call rows{kind::sum, 300'000};
    rows.inside = 3;
    add("segment_sum_rows", rows, k::element_type::int32, k::element_type::float32);
    add("segment_sum_rows_any_order", rows, k::element_type::int32, k::element_type::float32, true);
    rows.what = kind::least;
    rows.count = 300;
    add("segment_min_rows", rows, k::element_type::int64, k::element_type::float16);
    add("segment_sum_any_order", {kind::sum, 9000}, k::element_type::int32, k::element_type::float64, true);
    add("segment_min", {kind::least, 1000}, k::element_type::int32, k::element_type::bfloat16);
    add("segment_max", {kind::greatest, 1000}, k::element_type::int32, k::element_type::uint64);
    add("segment_max_narrow", {kind::greatest, 5000}, k::element_type::int64, k::element_type::int32);
    add("segment_min_narrow", {kind::least, 5000}, k::element_type::int32, k::element_type::int32);
}

void add_scans(list& to) {
    using k::plan::scan_mapping;
    for (const auto& [name, mapping, count, totals_only] :
         {std::tuple{"scan_columns", scan_mapping::columns, 64, false},
          {"scan_column_totals", scan_mapping::columns, 64, true},
          {"scan_rows", scan_mapping::rows, 8192, false},
          {"scan_rows_of_few_warps", scan_mapping::rows, 2049, false},
          {"scan_row_totals", scan_mapping::rows, 8192, true},
          {"scan_short_rows", scan_mapping::short_rows, 257, false}}) {
        const k::plan::scan_step step{.mapping = mapping, .totals_only = totals_only, .count = count, .part = count};
        to.add(name, k::plan::scan_nest(step), k::plan::scan_text(step));
    }
    // In one pass: few parts, one after the other, and many; columns whose parts are as many as a group has, and more.
    for (const auto& [name, mapping, parts] : {std::tuple{"scan_few_row_parts", scan_mapping::row_parts, 12},
                                               {"scan_row_parts", scan_mapping::row_parts, 100},
                                               {"scan_served_parts", scan_mapping::served_parts, 1000},
                                               {"scan_panels", scan_mapping::panels, 32},
                                               {"scan_groups_of_panels", scan_mapping::panels, 100},
                                               {"scan_lines", scan_mapping::lines, 4},
                                               {"scan_walked_rows", scan_mapping::walked_rows, 4},
                                               {"scan_clear", scan_mapping::clear, 1}}) {
        k::plan::scan_step step{.mapping = mapping};
        step.part = mapping == scan_mapping::panels ? 256 : 8192;
        step.count = parts * step.part;
        step.inner = mapping == scan_mapping::panels ? 64 : 1;
        to.add(name, k::plan::scan_nest(step), k::plan::scan_text(step));
    }
    // Rows that begin anywhere, of whose panels several warps each go down together; casts of what is read and written, lines backwards.
    k::plan::scan_step step{.mapping = scan_mapping::panels, .count = 3200, .inner = 67, .part = 100};
    to.add("scan_panels_together", k::plan::scan_nest(step), k::plan::scan_text(step));
    step = {.mapping = scan_mapping::columns, .narrow_level = 2, .count = 400, .inner = 9, .part = 28};
    to.add("scan_before_columns", k::plan::scan_nest(step), k::plan::scan_text(step));
    step = {
        .mapping = scan_mapping::narrow_panels, .narrow_level = 1, .count = 12800, .inner = 9, .part = 32, .slots = 5};
    to.add("scan_narrow_panels", k::plan::scan_nest(step), k::plan::scan_text(step));
    step.reads = {.type = k::element_type::float16, .backward = true};
    to.add("scan_narrow_panels_of_half", k::plan::scan_nest(step), k::plan::scan_text(step));
    step = {.mapping = scan_mapping::lines, .count = 3200, .inner = 67, .part = 100};
    step.reads = {.type = k::element_type::float16, .backward = true};
    step.writes = {.type = k::element_type::bfloat16};
    to.add("scan_lines_of_half", k::plan::scan_nest(step), k::plan::scan_text(step));
    step = {.type = k::element_type::int64, .mapping = scan_mapping::row_parts, .count = 49152, .part = 4096};
    step.reads = {.type = k::element_type::int16};
    step.writes = {.type = k::element_type::float64, .backward = true};
    to.add("scan_row_parts_of_int16", k::plan::scan_nest(step), k::plan::scan_text(step));
    step.reads = step.writes = {.backward = true};
    to.add("scan_row_parts_backward", k::plan::scan_nest(step), k::plan::scan_text(step));
}

/// Scans that go on: value * beside + line, beside of the shape, line the same along the scan or the same for all lines.
void add_finished_scans(list& to) {
    using k::plan::scan_mapping;
    static const k::plan::finishing_steps steps = [] {
        k::detail::graph of;
        const auto array = [&] { return add_array(of, k::element_type::float32); };
        const auto step = [&](k::operation code, int a, int b) {
            return add_operation(of, code, k::element_type::float32, a, b);
        };
        const int value = array(), beside = array(), line = array();
        of.outputs.push_back({.node = step(k::operation::add, step(k::operation::mul, value, beside), line)});
        return k::plan::make_finishing_steps(of, {0, 1, 2}, 0, {});
    }();
    for (const auto& [name, mapping, count, inner, part] :
         {std::tuple{"scan_rows_finished", scan_mapping::rows, 8192, 1, 8192},
          {"scan_row_parts_finished", scan_mapping::row_parts, 98304, 1, 8192},
          {"scan_columns_finished", scan_mapping::columns, 64, 64, 64},
          {"scan_panels_finished", scan_mapping::panels, 8192, 64, 256},
          {"scan_narrow_panels_finished", scan_mapping::narrow_panels, 12800, 9, 32},
          {"scan_lines_finished", scan_mapping::lines, 400, 67, 100}}) {
        k::plan::scan_step step{.mapping = mapping, .count = count, .inner = inner, .part = part};
        if (mapping == scan_mapping::narrow_panels) step.narrow_level = 1, step.slots = 5;
        const k::detail::scan_beside same{std::int64_t{count} * inner, inner, 1};
        const k::detail::scan_beside line =
            inner == 1 ? k::detail::scan_beside{0, 1, 0} : k::detail::scan_beside{0, 0, 1};
        step.finish = std::make_shared<const k::plan::scan_finish>(k::plan::scan_finish{&steps, {same, line}});
        const k::emit::element_steps printed{steps.program, steps.all};
        to.add(name, k::plan::scan_nest(step), "x0 * x1 + x2 of x0 = cumsum(x)", &printed);
    }
}

void add_resumed(list& to) {
    using kind = k::plan::resumed_step::kind;
    using k::detail::reduction_kind;
    const auto add = [&](const std::string& name, kind what, reduction_kind by, k::element_type result, bool along_rows,
                         int threads, std::int64_t splits = 100) {
        k::plan::resumed_step step;
        step.what = what;
        step.of = {by, k::element_type::float32, result};
        step.order.along_rows = along_rows;
        step.order.threads_per_output = threads;
        step.order.splits = splits;
        to.add(name, k::plan::resumed_nest(step), k::plan::resumed_text(step));
    };
    const auto f32 = k::element_type::float32;
    add("resumed_rows_taken", kind::take, reduction_kind::sum, f32, true, 256);
    add("resumed_rows_closed", kind::close, reduction_kind::sum, f32, true, 256);
    add("resumed_rows_ended", kind::end, reduction_kind::mean, f32, true, 256);
    add("resumed_columns_taken", kind::take, reduction_kind::argmax, k::element_type::int64, false, 8);
    add("resumed_columns_closed", kind::close, reduction_kind::variance, f32, false, 8);
    add("resumed_columns_stored", kind::end, reduction_kind::logsumexp, f32, false, 8, 1);
}

void add_sorts(list& to) {
    using k::plan::sort_kind;
    for (const auto& [name, what] : {std::pair{"sort_network", sort_kind::network},
                                     {"sort_rows", sort_kind::block},
                                     {"sort_select", sort_kind::select},
                                     {"sort_clear", sort_kind::clear},
                                     {"sort_count", sort_kind::count},
                                     {"sort_pass", sort_kind::pass}})
        to.add(name, cuda, {k::emit::sort_source({.what = what})});
    to.add("argsort_network", cuda,
           {k::emit::sort_source({.what = sort_kind::network, .has_places = true, .count = 500})});
    to.add("argsort_select_many", cuda,
           {k::emit::sort_source({.what = sort_kind::select, .has_places = true, .count = 5000, .kept = 100})});
    to.add(
        "argsort_descending", cuda,
        {k::emit::sort_source({.type = k::element_type::int8, .descending = true, .has_places = true, .wide = true})});
}

void add_segment_rows(list& to) {
    using kind = k::detail::segment_call::kind;
    const auto steps_of = [](kind what, std::int64_t count, k::element_type values) {
        k::detail::segment_call by{.what = what, .count = count * 64};
        by.inside = 64;
        return k::plan::plan_segment_rows(by, std::int64_t{64} << 20, k::element_type::int32, values).steps;
    };
    for (const k::plan::segment_row_step& each : steps_of(kind::sum, 4000, k::element_type::float32)) {
        const std::string name = k::emit::segment_rows_name(each);
        to.add(name.substr(sizeof "kiln_" - 1), cuda, {k::emit::segment_rows_source(each)});
    }
    to.add("segment_rows_max_bf16", cuda,
           {k::emit::segment_rows_source(steps_of(kind::greatest, 100000, k::element_type::bfloat16)[4])});
    to.add("segment_rows_sum_f64", cuda,
           {k::emit::segment_rows_source(steps_of(kind::sum, 100000, k::element_type::float64)[4])});
    to.add("segment_rows_sum_i32", cuda,
           {k::emit::segment_rows_source(steps_of(kind::sum, 100000, k::element_type::int32)[4])});
    to.add("segment_rows_max_u64", cuda,
           {k::emit::segment_rows_source(steps_of(kind::greatest, 100000, k::element_type::uint64)[4])});
}

void add_users(list& to) {
    const k::array<float> x = ones<float>({100});
    const auto lennard_jones = k::function<float(float)>(
        "lennard_jones", {"r"}, "#include \"powers.h\"\nreturn 4 * (pow(1 / r, 12.0f) - user_sixth(1 / r));",
        {{"powers.h",
          "#pragma once\n__device__ __forceinline__ float user_sixth(float a) { return a * a * a * a * a * a; }\n"}});
    to.on_both("users_function", lennard_jones(x));
}

/// What the CPU's threads make a table of, and values that they reduce side by side: of rows of any length, and of a known one.
void add_host_forms(list& to) {
    to.on_host("byte_table", k::cast<std::uint8_t>(
                                 k::rint(k::pow(k::cast<float>(ones<std::uint8_t>({100})) / 255.0f, 0.45f) * 255.0f)));
    const auto apart = ones<float>({500, 20})(k::all, k::newaxis) - ones<float>({600, 20});
    to.on_host("values_side_by_side", k::mean(apart * apart, k::axis(2)));
    to.on_host("values_in_tiles", k::matmul(k::max(ones<float>({30, 100}), 0.0f), ones<float>({100, 40}) + 1.0f));
    const k::array<float> of_columns = ones<float>({100});
    to.on_host("values_of_rows_in_tiles",
               k::sum(ones<float>({20, 100})(k::all, k::newaxis) * ones<float>({40, 100}), k::axis(2)));
    to.on_host("rows_across", k::matmul(k::transpose(ones<float>({100, 40})), ones<float>({100})));
    to.on_host("rows_in_lanes", k::mean(ones<float>({60, 100}) * of_columns, k::axis(1)));
    const k::array<float> many = ones<float>({100'000});
    to.on_host("parts_in_lanes", k::mean((many - 0.5f) * many));
    to.on_host("values_of_known_rows",
               k::max(k::cast<float>(ones<std::uint8_t>({500, 3})) * ones<float>({3}), k::axis(1)));
}

}  // namespace

std::vector<kind> kinds() {
    list out;
    add_contiguous(out);
    add_views(out);
    add_reductions(out);
    add_persistent_rows(out);
    add_exchanges(out);
    add_scans(out);
    add_finished_scans(out);
    add_resumed(out);
    add_segments(out);
    add_sorts(out);
    add_segment_rows(out);
    add_users(out);
    add_host_forms(out);
    return out.take();
}

}  // namespace tests
