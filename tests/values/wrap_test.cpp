// k::wrap of memory that is not row-major: read and written where its strides say, and nowhere else.
#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <numeric>

namespace k = kiln;

namespace {

std::vector<float> counting(std::size_t size) {
    std::vector<float> out(size);
    std::iota(out.begin(), out.end(), 0.0f);
    return out;
}

}  // namespace

TEST_CASE("wrap: column-major memory, read, written, and beside row-major arrays") {
    std::vector<float> memory = counting(6);  // columns (0, 1), (2, 3), (4, 5)
    const auto w = k::wrap(memory.data(), {2, 3}, k::column_major);
    CHECK(w.to_host() == std::vector<float>{0, 2, 4, 1, 3, 5});
    CHECK(k::array<float>(w + k::transpose(k::reshape(k::arange<float>(6), {3, 2}))).to_host() ==
          std::vector<float>{0, 4, 8, 2, 6, 10});
    w = k::reshape(k::arange<float>(6), {2, 3}) * 10;
    k::synchronize();
    CHECK(memory == std::vector<float>{0, 30, 10, 40, 20, 50});
    w = w + 1;  // in place
    k::synchronize();
    CHECK(memory == std::vector<float>{1, 31, 11, 41, 21, 51});
    CHECK(k::sum(w, k::axis(0)).to_host() == std::vector<float>{32, 52, 72});
}

TEST_CASE("wrap: += and its like write through, of a temporary, a stored one, a slice and strided memory") {
    std::vector<float> memory = counting(6);
    k::wrap(memory.data(), {6}) += 1;
    k::synchronize();
    CHECK(memory == std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto w = k::wrap(memory.data(), {2, 3}, k::column_major);
    w(1) *= k::from_host<float>({2, 3, 4});
    k::synchronize();
    CHECK(memory == std::vector<float>{1, 4, 3, 12, 5, 24});
    w -= w(0);  // reads what it writes: through a temporary
    k::synchronize();
    CHECK(memory == std::vector<float>{0, 3, 0, 9, 0, 19});
    (w /= 2.0f) += 1;
    k::synchronize();
    CHECK(memory == std::vector<float>{1, 2.5f, 1, 5.5f, 1, 10.5f});
    CHECK_THROWS_AS(k::wrap(memory.data(), {3}) += k::ones<float>({2, 3}), k::shape_error);
    CHECK_THROWS_AS(w += k::ones<float>({4}), k::shape_error);
    std::vector<int> bits = {1, 2, 3};
    k::wrap(bits.data(), {3}) <<= 2;
    k::wrap(bits.data(), {3}) %= 8;
    k::wrap(bits.data(), {3}) |= 1;
    k::wrap(bits.data(), {3}) ^= k::from_host<int>({1, 0, 0});
    k::wrap(bits.data(), {3}) &= 13;
    k::wrap(bits.data(), {3}) >>= 2;
    k::synchronize();
    CHECK(bits == std::vector<int>{1, 0, 1});
}

TEST_CASE("wrap: strides with gaps; what lies between keeps its values") {
    std::vector<float> memory = counting(12);
    const auto w = k::wrap(memory.data() + 1, {2, 2}, {6, 2});  // elements 1, 3, 7, 9
    CHECK(w.to_host() == std::vector<float>{1, 3, 7, 9});
    w = k::full<float>({}, -1.0f);
    k::synchronize();
    CHECK(memory == std::vector<float>{0, -1, 2, -1, 4, 5, 6, -1, 8, -1, 10, 11});
}

TEST_CASE("wrap: negative strides count down, strides of 0 repeat and are only read") {
    std::vector<float> memory = counting(4);
    const auto reversed = k::wrap(memory.data() + 3, {4}, {-1});
    CHECK(reversed.to_host() == std::vector<float>{3, 2, 1, 0});
    reversed = k::wrap(memory.data(), {4}) + 0;  // overlaps at other positions: through a temporary
    k::synchronize();
    CHECK(memory == std::vector<float>{3, 2, 1, 0});
    const auto rows = k::wrap(memory.data(), {2, 4}, {0, 1});
    CHECK(rows.to_host() == std::vector<float>{3, 2, 1, 0, 3, 2, 1, 0});
    CHECK_THROWS_AS(rows = k::zeros<float>({2, 4}), k::shape_error);
    CHECK_THROWS_AS(rows = 1.0f, k::shape_error);
}

TEST_CASE("wrap: strides from a vector, and as many as axes") {
    std::vector<float> memory = counting(6);
    const std::vector<std::int64_t> strides = {1, 2};
    CHECK(k::wrap(memory.data(), {2, 3}, strides).to_host() == std::vector<float>{0, 2, 4, 1, 3, 5});
    CHECK_THROWS_AS(k::wrap(memory.data(), {2, 3}, {1}), k::shape_error);
    const float* const read_only = memory.data();
    CHECK(k::wrap(read_only, {2}, {5}).to_host() == std::vector<float>{0, 5});
}

TEST_CASE("wrap: slices of it read and write through, also of strided memory, stored or not") {
    std::vector<float> memory = counting(6);
    const auto w = k::wrap(memory.data(), {2, 3}, k::column_major);
    const auto row = w(1);
    CHECK(row.to_host() == std::vector<float>{1, 3, 5});
    row = 7.0f;
    w(0, k::range(1, 3)) = k::from_host<float>({8, 9});
    k::synchronize();
    CHECK(memory == std::vector<float>{0, 7, 8, 7, 9, 7});
    CHECK(row(2).item() == 7);
    CHECK(w.rank() == 2);
    CHECK(w.size() == 6);
}

TEST_CASE("wrap: an array's own memory by other strides, on the device") {
    k::array<float> x = k::arange<float>(12);
    const auto columns = k::wrap(x.data(), {3, 4}, k::column_major);
    const k::array<float> m = columns * 1;
    CHECK(m.to_host() == std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
    columns(k::all, 0) = -1.0f;
    CHECK(x(k::range(0, 4)).to_host() == std::vector<float>{-1, -1, -1, 3});
}

TEST_CASE("nothing is written through a view that has no elements, whatever its strides") {
    float memory[4] = {1, 2, 3, 4};
    k::wrap(memory, {0, 4}, k::column_major) = k::zeros<float>({0, 4});
    k::wrap(memory, {2, 0, 3}, k::column_major) += 1.0f;
    k::synchronize();
    CHECK(std::vector<float>(memory, memory + 4) == std::vector<float>{1, 2, 3, 4});
}
