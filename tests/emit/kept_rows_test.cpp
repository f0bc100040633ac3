// The kernels that keep their rows, as text: tests/golden has what they are. That the text is CUDA, the cubins say; that it
// is right, tests/language/kept_rows_test.cpp.
#include <support/golden.hpp>
#include <support/partial_sum.hpp>
#include <support/rooms.hpp>

#include <emit/source.hpp>
#include <lower/lower.hpp>
#include <plan/partition.hpp>
#include <plan/row_limits.hpp>
#include <stage/stages.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

namespace {

/// The source of each kernel of the first stage that a device of this kind would run.
template <class... Es>
std::vector<k::emit::source> sources(const k::plan::target& on, const Es&... es) {
    using namespace k::detail;
    const std::vector<handle<term>> roots = {k::expr<k::value_t<Es>>(es).erase()...};
    const std::vector<output> wanted(roots.size());
    const k::stage::stages planned = k::stage::make_stages(roots.data(), static_cast<int>(roots.size()), wanted.data(),
                                                           k::plan::row_limits(on, true));
    std::vector<k::emit::source> out;
    const k::stage::stage& first = planned.list.front();
    k::plan::bindings call(first.leaves.data(), static_cast<int>(first.leaves.size()), first.outputs.data(),
                           static_cast<int>(first.outputs.size()));
    tests::bind_as_on(on.kind, call);
    const k::plan::schedule made = k::plan::partition(
        k::lower::lower(first.described, call.numbers(), call.baked()).code, call, on, /*fuse=*/true);
    for (const k::plan::kernel& kernel : made.kernels) out.push_back(k::emit::emit(made.program, kernel, on.kind));
    return out;
}

template <class... Es>
std::vector<k::emit::source> cuda_sources(const Es&... es) {
    return sources(k::plan::cuda_target, es...);
}

template <class E>
k::expr<float> softmax(const E& m) {
    const k::expr<float> e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

}  // namespace

TEST_CASE("golden: softmax, whose rows stay on chip") {
    const k::array<float> m = k::ones<float>({64, 8192});
    tests::check_golden("softmax.cu", cuda_sources(softmax(m)));
}

TEST_CASE("golden: softmax on the host, which keeps a row's exponentials in its caches") {
    const k::array<float> m = k::ones<float>({64, 4096});
    tests::check_golden("softmax.host.cc", sources(k::plan::host_target, softmax(m)));
}

TEST_CASE("golden: a layer's norm, of float16, of rows that end between vectors") {
    const k::array<k::float16> x = k::ones<k::float16>({70, 1001});
    const k::array<float> scale = k::ones<float>({1001});
    const k::expr<float> in = k::cast<float>(x);
    const auto centred = in - k::mean(in, k::axis(1), k::keep_dims);
    const auto variance = k::mean(k::square(centred), k::axis(1), k::keep_dims);
    tests::check_golden("layer_norm.cu", cuda_sources(centred * k::rsqrt(variance + 1e-5f) * scale));
}

TEST_CASE("golden: a reduction of rows and what is made of it") {
    const k::array<double> x = k::ones<double>({300, 40});
    tests::check_golden("log_sum_exp.cu", cuda_sources(k::logsumexp(x, k::axis(1))));
}

TEST_CASE("golden: a sum that ends in partial sums, of what reads another one") {
    const k::array<float> x = k::ones<float>({100000});
    const k::array<float> sum = k::zeros<float>({});
    const tests::partial_sum in_parts(sum, 98);
    tests::check_golden("sum_in_parts.cu", cuda_sources(k::sum(x * sum)));
}

TEST_CASE("rows: what stands twice is one reduction, so that a kernel's eight are enough") {
    const k::array<float> x = k::ones<float>({300, 40});
    k::expr<float> e = k::stddev(x, k::axis(1));
    for (int i = 0; i < 11; ++i) e = e + k::stddev(x, k::axis(1));
    const std::vector<k::emit::source> twelve = cuda_sources(e);
    REQUIRE(twelve.size() == 1);
    CHECK(cuda_sources(k::stddev(x, k::axis(1))).size() == 1);
}
