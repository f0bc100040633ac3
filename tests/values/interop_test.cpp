// k::wrap of other libraries' matrices, by stand-ins with their members. examples/with has the libraries themselves.
#include <support/check.hpp>

#include <kiln/kiln.hpp>

#include <array>
#include <numeric>
#include <span>
#include <vector>

namespace k = kiln;

namespace {

struct layout_of_strides {};

template <class T, int Rank>
struct span_of {
    using element_type = T;
    using layout_type = layout_of_strides;
    using rank_type = std::size_t;
    T* pointer;
    std::vector<std::uint32_t> extents;
    std::vector<std::uint32_t> strides;
    bool strided = true;

    static constexpr std::size_t rank() { return Rank; }
    T* data_handle() const { return pointer; }
    std::uint32_t extent(std::size_t axis) const { return extents[axis]; }
    std::uint32_t stride(std::size_t axis) const { return strides[axis]; }
    bool is_strided() const { return strided; }
};

struct matrix {
    int dims;
    unsigned char* data;
    struct {
        const int* p;
    } size;
    struct {
        const std::size_t* p;
    } step;
    int depth_number;
    int channel_count;

    int depth() const { return depth_number; }
    int channels() const { return channel_count; }
};

std::vector<float> counting(std::size_t size) {
    std::vector<float> out(size);
    std::iota(out.begin(), out.end(), 0.0f);
    return out;
}

}  // namespace

TEST_CASE("wrap: a vector, an array, a span: elements of one axis") {
    std::vector<float> memory = counting(5);
    k::wrap(memory) = k::wrap(memory) * 2;
    const std::array<int, 3> three{1, 2, 3};
    int four[] = {1, 2, 3, 4};
    CHECK(k::sum(k::wrap(three)).item() == 6);
    CHECK(k::sum(k::wrap(four)).item() == 10);
    k::wrap(std::span<float>(memory).subspan(1, 2)) = 7;
    CHECK(k::array<float>(k::wrap(std::span<const float>(memory)) + 0).to_host() == std::vector<float>{0, 7, 7, 6, 8});
    const std::vector<double> none;
    CHECK(k::sum(k::wrap(none)).item() == 0);
}

TEST_CASE("wrap: an mdspan's memory, of its strides, read and written; of const elements read") {
    std::vector<float> memory = counting(12);
    const auto transposed = k::wrap(span_of<float, 2>{memory.data(), {3, 4}, {1, 3}});
    CHECK(k::array<float>(transposed + 0).to_host() == std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11});
    transposed = -transposed;
    k::synchronize();
    CHECK(memory[7] == -7);
    CHECK(k::sum(k::wrap(span_of<const float, 1>{memory.data(), {4}, {3}})).item() == -18);
    CHECK((k::wrap(span_of<float, 0>{memory.data() + 2, {}, {}}).shape() == k::shape{}));
    CHECK((k::wrap(span_of<float, 1>{nullptr, {0}, {1}}).shape() == k::shape{0}));
    CHECK_THROWS_AS((void)k::wrap(span_of<float, 1>{memory.data(), {4}, {1}, false}), k::shape_error);
}

TEST_CASE("wrap: an image's rows, with gaps, of one channel and of three; of another type it throws") {
    std::vector<float> memory = counting(24);
    const int size[] = {2, 3};
    const std::size_t step[] = {10 * sizeof(float), sizeof(float)};
    matrix image{2, reinterpret_cast<unsigned char*>(memory.data()), {size}, {step}, 5, 1};
    CHECK(k::array<float>(k::wrap<float>(image) + 0).to_host() == std::vector<float>{0, 1, 2, 10, 11, 12});
    const std::size_t colour_step[] = {10 * sizeof(float), 3 * sizeof(float)};
    image.channel_count = 3;
    image.step.p = colour_step;
    CHECK((k::wrap<float>(image).shape() == k::shape{2, 3, 3}));
    CHECK(k::array<float>(k::sum(k::wrap<float>(image), k::axis(2))).to_host() ==
          std::vector<float>{3, 12, 21, 33, 42, 51});
    CHECK_THROWS_WITH_AS((void)k::wrap<int>(image), "kiln: wrap: a matrix of float32, not of int32", k::type_error);
    image.depth_number = 9;
    CHECK_THROWS_WITH_AS((void)k::wrap<int>(image), "kiln: wrap: a matrix of OpenCV's depth 9, not of int32",
                         k::type_error);
    const std::size_t odd_step[] = {41, sizeof(float)};
    image.depth_number = 5;
    image.step.p = odd_step;
    CHECK_THROWS_AS((void)k::wrap<float>(image), k::shape_error);
    image = {0, nullptr, {nullptr}, {nullptr}, 0, 1};  // cv::Mat()
    CHECK_THROWS_WITH_AS((void)k::wrap<float>(image),
                         "kiln: wrap: an empty matrix, as cv::imread returns where it cannot read a file",
                         k::shape_error);
}
