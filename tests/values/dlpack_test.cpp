// k::from_dlpack, k::to_dlpack: memory where it lies, given back once, when nothing uses it any more.
#include <support/check.hpp>
#include <support/device_under_test.hpp>

#include <kiln/kiln.hpp>

#include <numeric>
#include <optional>
#include <vector>

namespace k = kiln;

namespace {

/// As other libraries declare it, with their names.
struct DLManagedTensor {
    k::dlpack::tensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};

/// Another library's array of host memory, and how often it was given back.
template <class T, class Managed = k::dlpack::managed_tensor_versioned>
struct lender {
    std::vector<T> elements;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    Managed managed{};
    int given_back = 0;

    lender(std::vector<std::int64_t> extents, std::vector<std::int64_t> steps, std::uint8_t code, int size = 24)
        : elements(static_cast<std::size_t>(size)), shape(std::move(extents)), strides(std::move(steps)) {
        for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<T>(static_cast<float>(i));
        k::dlpack::tensor& to = managed.dl_tensor;
        to.data = elements.data();
        to.device.device_type = k::dlpack::cpu;
        to.ndim = static_cast<std::int32_t>(shape.size());
        to.dtype.code = code;
        to.dtype.bits = sizeof(T) * 8;
        to.dtype.lanes = 1;
        to.shape = shape.data();
        to.strides = strides.empty() ? nullptr : strides.data();
        managed.manager_ctx = this;
        managed.deleter = [](Managed* of) { ++static_cast<lender*>(of->manager_ctx)->given_back; };
        if constexpr (requires { managed.version; }) managed.version = {1, 1};
    }
};

using k::dlpack::floating;

}  // namespace

TEST_CASE("from_dlpack: memory is read where it lies, and given back once, after the last expression of it") {
    lender<float> theirs({2, 3}, {}, floating);
    std::optional<k::array<float>> y;
    {
        const auto x = k::from_dlpack<float>(&theirs.managed);
        CHECK((x.shape() == k::shape{2, 3}));
        theirs.elements[0] = 10;  // read when it is evaluated
        auto e = x * 2;
        CHECK(k::array<float>(e).to_host() == std::vector<float>{20, 2, 4, 6, 8, 10});
        y.emplace(e + x(1));
    }
    CHECK(theirs.given_back == 1);
    CHECK(y->to_host() == std::vector<float>{23, 6, 9, 9, 12, 15});
}

TEST_CASE("from_dlpack: strides, an offset, memory that is written, DLPack's own struct names") {
    lender<int, DLManagedTensor> theirs({2, 3}, {1, -4}, k::dlpack::signed_integer);
    theirs.managed.dl_tensor.byte_offset = 12 * sizeof(int);
    {
        const auto x = k::from_dlpack<int>(&theirs.managed);
        CHECK(k::array<int>(x + 0).to_host() == std::vector<int>{12, 8, 4, 13, 9, 5});
        x = -x;
        k::synchronize();
    }
    CHECK(theirs.given_back == 1);
    CHECK(theirs.elements[13] == -13);
    CHECK(theirs.elements[8] == -8);
    CHECK(theirs.elements[7] == 7);
}

TEST_CASE("from_dlpack: every element type, rank 0 and no elements") {
    const auto check = [](auto element, std::uint8_t code) {
        using T = decltype(element);
        lender<T> theirs({}, {}, code);
        CHECK((k::array<T>(k::from_dlpack<T>(&theirs.managed)).item() == T(0)));
        CHECK(theirs.given_back == 1);
        lender<T> none({3, 0}, {}, code);
        none.managed.dl_tensor.data = nullptr;
        CHECK((k::array<T>(k::from_dlpack<T>(&none.managed)).shape() == k::shape{3, 0}));
        CHECK(none.given_back == 1);
    };
    check(std::int8_t{}, 0), check(std::int16_t{}, 0), check(std::int32_t{}, 0), check(std::int64_t{}, 0);
    check(std::uint8_t{}, 1), check(std::uint16_t{}, 1), check(std::uint32_t{}, 1), check(std::uint64_t{}, 1);
    check(k::float16{}, 2), check(float{}, 2), check(double{}, 2), check(k::bfloat16{}, 4);
    check(std::complex<float>{}, 5), check(std::complex<double>{}, 5);
}

TEST_CASE("from_dlpack: what is not taken stays the caller's") {
    const auto refused = [](lender<float>& theirs, const char* what) {
        std::string said;
        try {
            (void)k::from_dlpack<float>(&theirs.managed);
        } catch (const k::error& e) {
            said = e.what();
        }
        CAPTURE(said);
        CHECK(said.find(what) != std::string::npos);
        CHECK(theirs.given_back == 0);
    };
    lender<float> theirs({2, 3}, {}, floating);
    theirs.managed.flags = k::dlpack::is_read_only;
    refused(theirs, "k::from_dlpack<const T>");
    theirs.managed.flags = 0;
    theirs.managed.version.major = 2;
    refused(theirs, "DLPack 2.1");
    theirs.managed.version.major = 1;
    theirs.managed.dl_tensor.dtype.bits = 64;
    refused(theirs, "a tensor of float64, not of float32");
    theirs.managed.dl_tensor.dtype.lanes = 4;
    refused(theirs, "4 lanes");
    theirs.managed.dl_tensor.dtype = {floating, 32, 1};
    theirs.managed.dl_tensor.device.device_type = 7;
    refused(theirs, "device type 7");
    theirs.managed.dl_tensor.device.device_type = k::dlpack::cuda;
    refused(theirs, "no GPU of this process");
    theirs.managed.dl_tensor.device.device_type = k::dlpack::cpu;
    theirs.managed.dl_tensor.byte_offset = 2;
    refused(theirs, "multiples of 4 bytes");
    theirs.managed.dl_tensor.byte_offset = 0;
    theirs.shape[0] = -1;
    refused(theirs, "-1");
    theirs.managed.dl_tensor.ndim = 9;
    theirs.shape.assign(9, 1);
    theirs.managed.dl_tensor.shape = theirs.shape.data();
    refused(theirs, "8");
    theirs.managed.dl_tensor.ndim = 2;
    theirs.managed.flags = k::dlpack::is_read_only;
    theirs.shape = {2, 3};
    theirs.managed.dl_tensor.shape = theirs.shape.data();
    CHECK(k::sum(k::from_dlpack<const float>(&theirs.managed)).item() == 15);
    CHECK(theirs.given_back == 1);
}

TEST_CASE("to_dlpack: an array's memory, which outlives the array, and is left alone by what is assigned to it") {
    k::array<float> x = k::reshape(k::arange<float>(6), {2, 3});
    k::dlpack::managed_tensor_versioned* const shared = k::to_dlpack(x);
    CHECK(shared->dl_tensor.data == std::as_const(x).data());
    CHECK(shared->dl_tensor.ndim == 2);
    CHECK(shared->dl_tensor.shape[1] == 3);
    CHECK(shared->dl_tensor.strides[0] == 3);
    CHECK(shared->dl_tensor.device.device_type == (tests::device().is_cuda ? k::dlpack::cuda : k::dlpack::cpu));
    CHECK(shared->version.major == 1);
    CHECK(shared->flags == k::dlpack::is_read_only);
    x = x + 100;
    x = k::array<float>();
    {
        const auto back = k::from_dlpack<const float>(shared);  // gives it back at its end
        CHECK(k::array<float>(back).to_host() == std::vector<float>{0, 1, 2, 3, 4, 5});
    }
    k::array<std::int16_t> given = k::ones<std::int16_t>({4});
    auto* const all = k::to_dlpack<DLManagedTensor>(std::move(given));
    CHECK(!given.has_value());
    {
        const auto theirs = k::from_dlpack<std::int16_t>(all);
        theirs = theirs + 1;
        CHECK(k::sum(theirs).item() == 8);
    }
    k::array<float> kept = k::zeros<float>({2});
    const k::array<float> copy = kept;
    auto* const still_shared = k::to_dlpack(std::move(kept));
    CHECK(still_shared->flags == k::dlpack::is_read_only);
    still_shared->deleter(still_shared);
    auto* const alone = k::to_dlpack(k::array<float>(k::zeros<float>({2})));
    CHECK(alone->flags == 0);
    alone->deleter(alone);
    CHECK(copy.to_host() == std::vector<float>{0, 0});
    CHECK_THROWS_AS((void)k::to_dlpack(k::array<float>()), k::type_error);
}
