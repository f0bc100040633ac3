// Which sums of products a library is asked for, and as which matrices: multiplied here as they are described, element by element where
// the description says it lies, small integers come to what matmul makes of them.
#include <capture/array_node.hpp>
#include <plan/row_limits.hpp>
#include <stage/library_products.hpp>
#include <stage/stages.hpp>

#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <complex>
#include <cstdint>
#include <numeric>
#include <variant>
#include <vector>

namespace k = kiln;

namespace {

class LibraryProducts {
public:
    /// The stages that an expression has where a library multiplies whatever it is asked for.
    template <class T, class E>
    static k::stage::stages stages_of(const E& e) {
        const k::detail::handle<k::detail::term> root = k::expr<T>(e).erase();
        const k::detail::output wanted;
        k::detail::reducing_kernels kernels = k::plan::row_limits(k::plan::cuda_target_of(90), true);
        kernels.multiplies = [](const k::stage::product&) { return true; };
        return k::stage::make_stages(&root, 1, &wanted, kernels);
    }

    static const k::stage::product_of_leaves* product_in(const k::stage::stages& of) {
        const k::stage::product_of_leaves* found = nullptr;
        for (const k::stage::stage& each : of.list)
            if (const auto* const one = std::get_if<k::stage::product_of_leaves>(&each.over_arrays)) found = one;
        return found;
    }

    /// Of the stage that multiplies, from its leaves' memory.
    template <class T>
    static std::vector<T> multiplied(const k::stage::stage& of) {
        const auto& by = std::get<k::stage::product_of_leaves>(of.over_arrays);
        const k::stage::product& how = by.how;
        const auto data = [&](int leaf) {
            return reinterpret_cast<const T*>(
                static_cast<const k::detail::array_node*>(of.leaves[static_cast<std::size_t>(leaf)].object)->data);
        };
        const auto place = [](const k::stage::product::matrix& in, std::int64_t batch, std::int64_t row,
                              std::int64_t column) {
            return batch * in.batch_stride + (in.is_by_columns ? column * in.stride + row : row * in.stride + column);
        };
        std::vector<T> out;
        for (std::int64_t batch = 0; batch < how.batch; ++batch)
            for (std::int64_t row = 0; row < how.rows; ++row)
                for (std::int64_t column = 0; column < how.columns; ++column) {
                    T sum = 0;
                    for (std::int64_t term = 0; term < how.terms; ++term)
                        sum = sum + data(by.left_leaf)[place(how.left, batch, row, term)] *
                                        data(by.right_leaf)[place(how.right, batch, term, column)];
                    out.push_back(sum);
                }
        return out;
    }

    template <class T = float, class E>
    static void check_asked(const E& e) {
        const k::stage::stages of = stages_of<T>(e);
        REQUIRE(product_in(of));
        REQUIRE(of.list.size() == 1);
        if (!tests::device().is_cuda) CHECK_SAME(multiplied<T>(of.list.front()), k::array<T>(e).to_host());
    }

    template <class T = float, class E>
    static void check_not_asked(const E& e) {
        CHECK_FALSE(product_in(stages_of<T>(e)));
    }
};

template <class T = float>
k::array<T> counted(const k::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = T(static_cast<float>(static_cast<int>(i * 7 % 11) - 5));
    return k::from_host<T>(out, of);
}

}  // namespace

TEST_CASE("a library is asked for matrices, transposed and in batches, as they lie in memory") {
    const k::array<float> a = counted({6, 5});
    const k::array<float> b = counted({5, 7});
    LibraryProducts::check_asked(k::matmul(a, b));
    LibraryProducts::check_asked(k::matmul(counted({1, 5}), b));
    LibraryProducts::check_asked(k::matmul(a, counted({5, 1})));
    LibraryProducts::check_asked(k::matmul(counted({6, 1}), counted({1, 7})));
    LibraryProducts::check_asked(k::matmul(counted({1, 1}), counted({1, 1})));
    LibraryProducts::check_asked(k::matmul(k::transpose(counted({5, 6})), b));
    LibraryProducts::check_asked(k::matmul(a, k::transpose(counted({7, 5}))));
    LibraryProducts::check_asked(k::matmul(k::transpose(counted({5, 6})), k::transpose(counted({7, 5}))));
    // Parts of larger ones.
    LibraryProducts::check_asked(k::matmul(counted({9, 8})(k::range(1, 7), k::range(2, 7)), b));
    LibraryProducts::check_asked(k::matmul(a, counted({11, 9})(k::range(0, 10, 2), k::range(1, 8))));
    LibraryProducts::check_asked(k::matmul(k::transpose(counted({9, 8})(k::range(2, 7), k::range(1, 7))), b));
    // In batches, of one of the two as well.
    LibraryProducts::check_asked(k::matmul(counted({3, 6, 5}), counted({3, 5, 7})));
    LibraryProducts::check_asked(k::matmul(counted({2, 3, 6, 5}), counted({2, 3, 5, 7})));
    LibraryProducts::check_asked(k::matmul(counted({3, 6, 5}), b));
    LibraryProducts::check_asked(k::matmul(a, counted({3, 5, 7})));
    LibraryProducts::check_asked(k::matmul(counted({1, 6, 5}), counted({4, 5, 7})));
    LibraryProducts::check_asked(k::matmul(counted({4, 9, 5})(k::range(0, 4, 2), k::range(0, 6)), b));
}

TEST_CASE("a library is asked for every type that it has, and for sums of products that are written out") {
    LibraryProducts::check_asked<double>(k::matmul(counted<double>({6, 5}), counted<double>({5, 7})));
    LibraryProducts::check_asked<std::complex<float>>(
        k::matmul(counted<std::complex<float>>({6, 5}), counted<std::complex<float>>({5, 7})));
    const k::stage::stages halves =
        LibraryProducts::stages_of<k::float16>(k::matmul(counted<k::float16>({32, 48}), counted<k::float16>({48, 64})));
    REQUIRE(LibraryProducts::product_in(halves));
    CHECK(LibraryProducts::product_in(halves)->how.type == k::element_type::float16);

    const k::array<float> a = counted({6, 5});
    const k::array<float> b = counted({5, 7});
    LibraryProducts::check_asked(k::sum(a(k::all, k::all, k::newaxis) * b(k::newaxis, k::all, k::all), k::axis(1)));
    // The right one first.
    LibraryProducts::check_asked(k::sum(b(k::newaxis, k::all, k::all) * a(k::all, k::all, k::newaxis), k::axis(1)));
}

TEST_CASE("a library is not asked for what no matrix describes, or what is more than a product") {
    const k::array<float> a = counted({6, 5});
    const k::array<float> b = counted({5, 7});
    const k::array<float> wide = counted({6, 10});
    LibraryProducts::check_not_asked(k::matmul(a + 1.0f, b));
    LibraryProducts::check_not_asked(k::matmul(wide(k::all, k::range(0, 10, 2)), b));
    LibraryProducts::check_not_asked(k::matmul(a(k::all, k::range(4, -6, -1)), b));
    LibraryProducts::check_not_asked(k::matmul(k::broadcast_to(counted({1, 5}), {6, 5}), b));
    // Batches without one stride.
    LibraryProducts::check_not_asked(k::matmul(counted({2, 1, 6, 5}), counted({2, 3, 5, 7})));
    LibraryProducts::check_not_asked(k::matmul(k::transpose(counted({3, 2, 6, 5}), {1, 0, 2, 3}), b));
    // Integers, sums over another axis, differences, products of three.
    LibraryProducts::check_not_asked<std::int64_t>(
        k::matmul(counted<std::int64_t>({6, 5}), counted<std::int64_t>({5, 7})));
    const auto left = a(k::all, k::all, k::newaxis);
    const auto right = b(k::newaxis, k::all, k::all);
    LibraryProducts::check_not_asked(k::sum(left * right, k::axis(0)));
    LibraryProducts::check_not_asked(k::sum(left * right, k::axis(2)));
    LibraryProducts::check_not_asked(k::sum(left - right, k::axis(1)));
    LibraryProducts::check_not_asked(k::sum(left * right * right, k::axis(1)));
    LibraryProducts::check_not_asked(k::max(left * right, k::axis(1)));
    LibraryProducts::check_not_asked(k::sum(left * left, k::axis(1)));
    LibraryProducts::check_not_asked(k::matmul(counted({5}), b));
    LibraryProducts::check_not_asked(k::matmul(a, counted({5})));
    LibraryProducts::check_not_asked(k::matmul(counted({0, 5}), b));
    LibraryProducts::check_not_asked(k::matmul(counted({6, 0}), counted({0, 7})));
}
