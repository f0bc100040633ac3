// Which kernels the reductions of rows become: read off their plans. That the text is CUDA, the cubins say; that it is
// right, tests/language/persistent_rows_test.cpp.
#include <support/rooms.hpp>

#include <doctest/doctest.h>

namespace k = kiln;

TEST_CASE("rows: what stands twice is one reduction, so that a kernel's eight are enough") {
    const k::array<float> x = k::ones<float>({300, 40});
    const auto sources = [](const k::expr<float>& e) { return tests::first_stage_sources(k::plan::cuda_target, e); };
    k::expr<float> e = k::stddev(x, k::axis(1));
    for (int i = 0; i < 11; ++i) e = e + k::stddev(x, k::axis(1));
    CHECK(sources(e).size() == 1);
    CHECK(sources(k::stddev(x, k::axis(1))).size() == 1);
}
