// What becomes of roots and quotients on a GPU once NVRTC has compiled them: the compiler's own path for operands near the limits is a
// function of its library, whose name is in the cubin that calls it.
#include <support/rooms.hpp>

#include <compile/nvrtc.hpp>

#include <kiln/assume.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

#if KILN_HAS_CUDA

namespace {

template <class E>
bool has_slow_path(kiln::compile::nvrtc_toolchain& nvrtc, const E& e) {
    const std::string cubin = nvrtc.compile(tests::sources({}, e).at(0)).bytes;
    return cubin.find("sqrt_rn") != cubin.npos || cubin.find("div_rn") != cubin.npos;
}

}  // namespace

TEST_CASE("roots and quotients whose range is known have no other path, as NVRTC compiles them") {
    kiln::compile::nvrtc_toolchain nvrtc("sm_90");
    if (!nvrtc.is_there()) return;
    nvrtc.open();
    const k::array<float> x = k::ones<float>({100});
    const auto known = k::assume<false>(x, 0.5, 100);
    CHECK_FALSE(has_slow_path(nvrtc, k::sqrt(known)));
    CHECK_FALSE(has_slow_path(nvrtc, k::reciprocal(k::sqrt(known))));
    CHECK_FALSE(has_slow_path(nvrtc, known / (known * k::sqrt(known))));
    // Where a test may fail they have, for what fails it.
    CHECK(has_slow_path(nvrtc, k::sqrt(x)));
}

#endif
