// What NVRTC takes for kiln's kernels: for arithmetic, comparisons, casts and where, of every kind of type, against a bare
// kernel (x+x+x+x+x by hand, four elements a thread); for functions of the library, which are long in themselves, against
// a kernel written by hand that calls the same; for loops against one by hand of the same form. Needs no GPU. Processor time, so that
// a busy machine counts little.
#include "hand_written.hpp"
#include "hand_written_loops.hpp"
#include "idle_device.hpp"
#include "support.hpp"

#include <compile/find_library.hpp>
#include <compile/nvrtc.hpp>

#include <kiln/kiln.hpp>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

constexpr std::int64_t elements = 1024;

double processor_ms() {
    std::timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct subject {
    std::string what;
    k::emit::source kernel;
    k::emit::source compared_with;  // by hand
    double at_most = 0;             // times that
};

/// Of several kernels, the longest: others clear what it needs, or add up what it leaves.
template <k::expression E>
k::emit::source source_of(const E& e) {
    const auto kernels = k::explain(e).kernels;
    const auto longest = std::max_element(
        kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.source.size() < b.source.size(); });
    return {longest->name, longest->source};
}

const k::emit::source bare{five_x_name, five_x_source};
// As short as a kernel gets; for the reader, no measure.
const k::emit::source barest{"barest", R"(
extern "C" __global__ void __launch_bounds__(256)
barest(float* __restrict__ y, const float* __restrict__ x, unsigned int count)
{
    const unsigned int i = blockIdx.x * 256u + threadIdx.x;
    if (i < count) y[i] = x[i] + x[i];
}
)"};

template <class T>
k::array<T> some() {
    return k::ones<T>({elements});
}

/// 32 operations: products and sums with two arrays, without a common subexpression.
template <class T>
k::expr<T> arithmetic() {
    const k::array<T> x = some<T>();
    const k::array<T> y = some<T>();
    k::expr<T> e = x;
    for (int i = 0; i < 8; ++i) e = (e * x + y) * y - x;
    return e;
}
/// 32 operations, one in four a quotient.
template <class T>
k::expr<T> quotients() {
    const k::array<T> x = some<T>();
    const k::array<T> y = some<T>();
    k::expr<T> e = x;
    for (int i = 0; i < 8; ++i) e = (e / x + y) * y - x;
    return e;
}
/// 32 operations: comparisons, selections, sums.
template <class T>
k::expr<T> choices() {
    const k::array<T> x = some<T>();
    const k::array<T> y = some<T>();
    k::expr<T> e = x;
    for (int i = 0; i < 10; ++i) e = k::where(e < y, e + x, y);
    return e + y + x;
}
template <class T>
k::expr<T> equal_choices() {
    const k::array<T> x = some<T>();
    const k::array<T> y = some<T>();
    k::expr<T> e = x;
    for (int i = 0; i < 10; ++i) e = k::where(e == y, e + x, y);
    return e + y + x;
}
/// 30 operations: there and back through other types.
k::expr<float> casts() {
    const k::array<float> x = some<float>();
    k::expr<float> e = x;
    for (int i = 0; i < 3; ++i)
        e = k::cast<float>(k::cast<std::uint8_t>(e) + 1) + k::cast<float>(k::cast<std::int64_t>(e)) +
            k::cast<float>(k::cast<double>(e) * 0.5);
    return e;
}
k::expr<float> half_casts() {
    const k::array<k::float16> h = some<k::float16>();
    k::expr<float> e = k::cast<float>(h);
    for (int i = 0; i < 7; ++i) e = k::cast<float>(k::cast<k::float16>(e) * h) + e;
    return e;
}

/// Four elements per thread, loaded and stored as a vector: `body` is the statement that makes v of v.
k::emit::source by_hand(const std::string& name, const std::string& type, int lanes, const std::string& body) {
    return {name, k::text::format(R"(
struct alignas(16) lanes {{ {type} v[{lanes}]; }};

__device__ __forceinline__ {type} body({type} x)
{{
    return {body};
}}

extern "C" __global__ void __launch_bounds__(256)
{name}({type}* __restrict__ y, const {type}* __restrict__ x, unsigned int count)
{{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * {lanes};
    if (first + {lanes} <= count) {{
        lanes of = *reinterpret_cast<const lanes*>(x + first);
        #pragma unroll
        for (int k = 0; k < {lanes}; ++k) of.v[k] = body(of.v[k]);
        *reinterpret_cast<lanes*>(y + first) = of;
    }} else {{
        for (unsigned int i = first; i < count; ++i) y[i] = body(x[i]);
    }}
}}
)",
                                  fmt::arg("type", type), fmt::arg("lanes", lanes), fmt::arg("body", body),
                                  fmt::arg("name", name))};
}

template <class T>
k::array<T> some_of(const k::shape& shape) {
    return k::ones<T>(shape);
}

/// x and y and z of what `count` bodies do to each other.
auto accelerations(std::int64_t count) {
    const k::array<float> x = some_of<float>({count}), y = some_of<float>({count}), z = some_of<float>({count});
    const auto dx = x - x(k::all, k::newaxis);
    const auto dy = y - y(k::all, k::newaxis);
    const auto dz = z - z(k::all, k::newaxis);
    const auto inverse = k::reciprocal(k::sqrt(dx * dx + dy * dy + dz * dz + 0.01f));
    const auto pull = some_of<float>({count}) * (inverse * inverse * inverse);
    return k::sum(pull * dx, k::axis(1)) + k::sum(pull * dy, k::axis(1)) + k::sum(pull * dz, k::axis(1));
}

auto softmax_over_1(const k::array<float>& x) {
    const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

/// Of the sizes that gpu_reductions and gpu_contractions have: others may have other kernels.
void add_loops(std::vector<subject>& out) {
    const auto against_loop = [&out](std::string what, const auto& e, const hand_written_loop& hand) {
        out.push_back({std::move(what), source_of(e), {hand.name, hand.source}, 1.3});
    };
    against_loop("accelerations of 16384 bodies", accelerations(16384), bodies_by_hand);
    against_loop("softmax of (64, 1024, 1024) over 1", softmax_over_1(some_of<float>({64, 1024, 1024})),
                 middle_softmax_by_hand);
    const k::array<float> points = some_of<float>({1'000'000, 8});
    const k::array<float> centres = some_of<float>({64, 8});
    against_loop("the nearest of 64 centres",
                 k::argmin(k::sum(k::square(points(k::all, k::newaxis) - centres), k::axis(2)), k::axis(1)),
                 nearest_by_hand);
    const k::array<float> matrix = some_of<float>({1024, 1024});
    against_loop("matmul of 1024 x 1024 floats", k::matmul(matrix, matrix), product_by_hand);
    against_loop("var of 67M floats", k::var(some_of<float>({std::int64_t{1} << 26})), variance_by_hand);
    const k::array<std::uint8_t> image = some_of<std::uint8_t>({8192, 4096, 3});
    against_loop("gray of colours", k::sum(k::cast<float>(image) * some_of<float>({3}), k::axis(2)), gray_by_hand);
    against_loop("cumsum(a, axis(0))", k::cumsum(some_of<float>({8192, 8192}), k::axis(0)), column_sums_by_hand);
    against_loop("histogram(bytes, 256)", k::histogram(some_of<std::uint8_t>({std::int64_t{1} << 26}), 256),
                 byte_counts_by_hand);
}

std::vector<subject> subjects() {
    std::vector<subject> out;
    const auto against_bare = [&out](std::string what, const auto& e) {
        out.push_back({std::move(what), source_of(e), bare, 1.5});
    };
    against_bare("float32, x + 1", some<float>() + 1.0f);
    against_bare("float32, 32 sums and products", arithmetic<float>());
    against_bare("float32, 8 quotients of 32", quotients<float>());
    against_bare("float32, comparisons and where, 32", choices<float>());
    against_bare("float64, 32 sums and products", arithmetic<double>());
    against_bare("float64, 8 quotients of 32", quotients<double>());
    against_bare("int32, 32 sums and products", arithmetic<std::int32_t>());
    against_bare("int32, 8 quotients of 32", quotients<std::int32_t>());
    against_bare("int64, 8 quotients of 32", quotients<std::int64_t>());
    against_bare("uint8, 8 quotients of 32", quotients<std::uint8_t>());
    against_bare("uint8, comparisons and where, 32", choices<std::uint8_t>());
    against_bare("casts, float32 by others, 30", casts());
    against_bare("float16, 32 sums and products", arithmetic<k::float16>());
    against_bare("float16, 8 quotients of 32", quotients<k::float16>());
    against_bare("float16, comparisons and where, 32", choices<k::float16>());
    against_bare("bfloat16, 32 sums and products", arithmetic<k::bfloat16>());
    against_bare("bfloat16, 8 quotients of 32", quotients<k::bfloat16>());
    against_bare("casts, float16 and float32, 29", half_casts());
    against_bare("complex64, 32 sums and products", arithmetic<std::complex<float>>());
    against_bare("complex64, 8 quotients of 32", quotients<std::complex<float>>());
    against_bare("complex64, comparisons and where, 32", equal_choices<std::complex<float>>());
    against_bare("complex128, 32 sums and products", arithmetic<std::complex<double>>());
    against_bare("complex128, 8 quotients of 32", quotients<std::complex<double>>());

    const k::array<float> x = some<float>();
    const k::array<double> d = some<double>();
    const auto against_hand = [&out](std::string what, const auto& e, k::emit::source hand) {
        out.push_back({std::move(what), source_of(e), std::move(hand), 1.1});
    };
    against_hand("float32 exp", k::exp(x), by_hand("hand_exp", "float", 4, "expf(x)"));
    against_hand("float32 sin", k::sin(x), by_hand("hand_sin", "float", 4, "sinf(x)"));
    against_hand("float32 log + tanh", k::log(x) + k::tanh(x), by_hand("hand_log", "float", 4, "logf(x) + tanhf(x)"));
    against_hand("float32 pow", k::pow(x, x), by_hand("hand_pow", "float", 4, "powf(x, x)"));
    against_hand("float64 exp", k::exp(d), by_hand("hand_exp64", "double", 2, "exp(x)"));
    against_hand("float64 sin * cos", k::sin(d) * k::cos(d), by_hand("hand_sin64", "double", 2, "sin(x) * cos(x)"));
    add_loops(out);
    return out;
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    // Nothing to keep: the kernels of this device are no kernels.
    ::setenv("KILN_CACHE_MAX_SIZE", "0", 1);
    // Loops need arrays of 256 MiB, none of which is ever touched.
    use_idle_device(std::size_t{1} << 28, k::plan::cuda_target_of(90));
    k::compile::nvrtc_toolchain compiler("sm_90");
    const bool there = !k::compile::find_nvrtc().path.empty();
    if (there) compiler.open();

    const std::string version = there ? compiler.compile(bare).facts.back().second : "none";
    report out("nvrtc_time", k::text::format("{}; NVRTC {}, sm_90, processor time", processor(), version), given);
    if (!there) {
        out.note("not measured: no NVRTC here");
        return out.finish();
    }
    const int rounds = static_cast<int>(given.number("--repeats", 20));
    const auto timed = [&compiler](const k::emit::source& kernel) {
        return [&compiler, &kernel] {
            const double start = processor_ms();
            compiler.compile(kernel);
            return processor_ms() - start;
        };
    };
    std::vector<double> bare_ms;
    std::vector<double> barest_ms;
    for (const subject& each : subjects()) {
        std::vector<contender> contenders(3);
        contenders[2].measure = timed(barest);
        contenders[0].measure = timed(each.compared_with);
        contenders[1].measure = timed(each.kernel);
        take_turns(contenders, rounds);
        const bool is_bare = each.compared_with.name == bare.name;
        if (is_bare) bare_ms.insert(bare_ms.end(), contenders[0].values.begin(), contenders[0].values.end());
        barest_ms.insert(barest_ms.end(), contenders[2].values.begin(), contenders[2].values.end());
        out.add({.what = each.what,
                 .value = summarize(contenders[1].values),
                 .unit = "ms",
                 .compared = ratio(contenders[1], contenders[0]),
                 .compared_with = is_bare ? "x the bare kernel" : "x by hand",
                 .must_be = limit{limit::side::at_most, each.at_most, limit::subject::ratio}});
    }
    out.add({.what = "the bare kernel", .value = summarize(bare_ms), .unit = "ms"});
    out.add({.what = "y[i] = x[i] + x[i], by hand", .value = summarize(barest_ms), .unit = "ms"});
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("nvrtc_time", trouble);
}
