// Which operands of products of 16-bit matrices the product's kernel makes, and which are made before it, by what they are made of.
#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

namespace k = kiln;
using T = k::float16;

namespace {

template <class E>
std::size_t stages_on_gpu(const E& e, int capability = 90) {
    return tests::stages_of(k::plan::cuda_target_of(capability), e).list.size();
}

}  // namespace

TEST_CASE("products of 16-bit floats make what is few operations on whole rows of elements of the same size") {
    const k::scoped_device here(k::cpu);
    const k::array<T> a = k::ones<T>({64, 80});
    const k::array<T> b = k::ones<T>({80, 48});
    const auto relu = [](const auto& x) { return k::max(x, T(0.0f)); };
    CHECK(stages_on_gpu(k::matmul(relu(a), b)) == 1);
    CHECK(stages_on_gpu(k::matmul(a, b * T(2.0f))) == 1);
    CHECK(stages_on_gpu(k::matmul(relu(a), relu(b)) + T(1.0f)) == 1);
    CHECK(stages_on_gpu(k::matmul(k::cast<T>(k::cast<float>(a) * 0.5f), b)) == 1);
    CHECK(stages_on_gpu(k::matmul(relu(k::transpose(b)), relu(k::transpose(a)))) == 1);
    // Rows end, or begin, between vectors.
    const k::array<T> odd = k::ones<T>({64, 81});
    const k::array<T> below = k::ones<T>({81, 48});
    CHECK(stages_on_gpu(k::matmul(relu(odd), below)) == 2);
    CHECK(stages_on_gpu(k::matmul(relu(a(k::all, k::range(1, 73))), b(k::range(0, 72)))) == 2);
    // Rows that are one, or read backwards.
    CHECK(stages_on_gpu(k::matmul(relu(k::broadcast_to(a(0), {50, 80})), b)) == 2);
    CHECK(stages_on_gpu(k::matmul(relu(k::flip(a, k::axis(1))), b)) == 2);
    // A bias of the operand's rows or columns; elements of other sizes; positions.
    CHECK(stages_on_gpu(k::matmul(a + k::ones<T>({80}), b)) == 2);
    CHECK(stages_on_gpu(k::matmul(k::cast<T>(k::ones<float>({64, 80})), b)) == 2);
    CHECK(stages_on_gpu(k::matmul(a * k::cast<T>(k::index(0)), b)) == 2);
    // What is too small for tensor cores is a sum of whatever it is.
    CHECK(stages_on_gpu(k::matmul(relu(k::ones<T>({8, 80})), b)) == 1);
    // Without copies in the background, as of capability 7.5.
    CHECK(stages_on_gpu(k::matmul(relu(a), b), 75) >= 1);
}

TEST_CASE(
    "operands that many tiles read are made by a kernel before the product's, of how much it takes to make them") {
    const k::scoped_device here(k::cpu);
    const auto relu = [](const auto& x) { return k::max(x, T(0.0f)); };
    const k::array<T> a = k::zeros<T>({1024, 1024});
    CHECK(stages_on_gpu(k::matmul(relu(a), a)) == 1);
    CHECK(stages_on_gpu(k::matmul(a * a, a)) == 2);
    CHECK(stages_on_gpu(k::matmul(k::tanh(a), a)) == 2);
    const k::array<T> small = k::zeros<T>({512, 512});
    CHECK(stages_on_gpu(k::matmul(small * small, k::tanh(small))) == 1);
    // Of few rows: each column is made for two tiles, each row for 64.
    const k::array<T> rows = k::zeros<T>({256, 4096});
    const k::array<T> columns = k::zeros<T>({4096, 4096});
    CHECK(stages_on_gpu(k::matmul(relu(rows), columns)) == 2);
    CHECK(stages_on_gpu(k::matmul(rows, relu(columns))) == 1);
    CHECK(stages_on_gpu(k::matmul(relu(rows), relu(columns))) == 2);
    // By groups of warps.
    const k::array<T> large = k::zeros<T>({2048, 2048});
    CHECK(stages_on_gpu(k::matmul(relu(large), large)) == 2);
    CHECK(stages_on_gpu(k::matmul(large, large * T(2.0f))) == 2);
    const k::array<T> narrow = k::zeros<T>({2048, 64});
    CHECK(stages_on_gpu(k::matmul(relu(narrow), k::transpose(narrow))) == 1);
    // Of batches, which may share one of them.
    const k::array<T> batch = k::zeros<T>({64, 128, 64});
    const k::array<T> other = k::zeros<T>({64, 64, 128});
    CHECK(stages_on_gpu(k::matmul(k::tanh(batch), relu(other))) == 1);
    const k::array<T> shared = k::zeros<T>({64, 128});
    CHECK(stages_on_gpu(k::matmul(batch, relu(shared))) == 1);
    const k::array<T> wide_batch = k::zeros<T>({64, 128, 512});
    CHECK(stages_on_gpu(k::matmul(wide_batch, relu(a(k::range(0, 512))))) == 2);
}
