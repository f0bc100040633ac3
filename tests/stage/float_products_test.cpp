// Products of floats of few values are sums, which share kernels with what is made of them; of many they are kernels of their own.
#include <capture/float_products.hpp>

#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

namespace {

template <class E>
std::size_t stages_on_gpu(const E& e) {
    return tests::stages_of(k::plan::cuda_target_of(90), e).list.size();
}

}  // namespace

TEST_CASE("products of few floats and what is made of them have the stages of the same sums") {
    const k::scoped_device here(k::cpu);
    const k::array<float> a = k::ones<float>({64, 100});
    const k::array<float> b = k::ones<float>({100, 10});
    const k::array<float> v = k::ones<float>({100});
    const auto sums = k::sum(a(k::all, k::all, k::newaxis) * b(k::newaxis), k::axis(1));
    CHECK(stages_on_gpu(k::matmul(a, v) + 1.0f) == 1);
    CHECK(stages_on_gpu(k::matmul(a, b) + 1.0f) == stages_on_gpu(sums + 1.0f));
    CHECK(stages_on_gpu(k::max(k::matmul(a, b) + k::ones<float>({10}), 0.0f)) ==
          stages_on_gpu(k::max(sums + k::ones<float>({10}), 0.0f)));
}

TEST_CASE("products of floats have an order of their own by their shape alone") {
    using k::detail::has_own_order;
    CHECK(has_own_order({1024, 32, 512}, 0b010));
    CHECK_FALSE(has_own_order({1023, 32, 512}, 0b010));
    CHECK(has_own_order({1024, 16, 512}, 0b010));
    CHECK_FALSE(has_own_order({1024, 15, 512}, 0b010));
    CHECK(has_own_order({65536, 32, 15}, 0b010));
    CHECK(has_own_order({32768, 16, 16}, 0b010));
    CHECK(has_own_order({1 << 18, 16, 2}, 0b010));
    CHECK_FALSE(has_own_order({1 << 19, 16, 1}, 0b010));
    CHECK(has_own_order({8, 256, 64, 256}, 0b0100));
    CHECK_FALSE(has_own_order({1024, 512, 64}, 0b100));
    CHECK_FALSE(has_own_order({}, 0));
    CHECK_FALSE(has_own_order({1 << 20}, 0b1));
}
