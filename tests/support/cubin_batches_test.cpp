// What compiles kernels together has to find what compiling them one by one finds.
#include <support/cubin_batches.hpp>
#include <support/cubin_device.hpp>

#include <doctest/doctest.h>

#include <string>

#if KILN_HAS_CUDA

namespace {

kiln::emit::source kernel(const std::string& name, const std::string& body) {
    return {name, "extern \"C\" __global__ void " + name + "(float* y, const float* x) { " + body + " }\n", ""};
}

const std::string waiting = "asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");";

}  // namespace

TEST_CASE("of CUDA kernels compiled together the wrong ones are named, with their test case") {
    if (!tests::cubins_wanted()) return;
    const auto exact = kiln::compile::arithmetic::exact;
    tests::cubin_batches batches("sm_90", /*together=*/true);
    const std::string right = batches.compile(kernel("copy", waiting + "y[0] = x[0];"), exact).bytes;
    const std::string namesake = batches.compile(kernel("copy", waiting + "y[1] = x[1];"), exact).bytes;
    const std::string wrong = batches.compile(kernel("misspelt", waiting + "y[0] = z[0];"), exact).bytes;
    const std::string early = batches.compile(kernel("impatient", "y[0] = x[0];" + waiting), exact).bytes;
    // What is for "sm_90a" alone is compiled with its like.
    const std::string fence = waiting + "asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");";
    const std::string tile = batches.compile(kernel("tile", fence + "y[0] = x[0];"), exact).bytes;
    const std::string odd_tile = batches.compile(kernel("odd_tile", fence + "y[0] = w[0];"), exact).bytes;
    CHECK(right != namesake);
    for (const std::string& each : {right, namesake, wrong, early, tile, odd_tile})
        CHECK(batches.stands_for_cubin(each));

    const std::string found = batches.finish();
    INFO(found);
    CHECK(found.find("misspelt, of the test case \"of CUDA kernels compiled together") != std::string::npos);
    CHECK(found.find("identifier \"z\" is undefined") != std::string::npos);
    CHECK(found.find("impatient, of the test case") != std::string::npos);
    CHECK(found.find("copy") == std::string::npos);
    CHECK(found.find("odd_tile, of the test case") != std::string::npos);
    CHECK(found.find("identifier \"w\" is undefined") != std::string::npos);
    CHECK(found.find("\ntile, ") == std::string::npos);
    CHECK(batches.finish().empty());

    // Whoever comes later takes no stand-in of theirs from a store.
    const tests::cubin_batches later("sm_90", /*together=*/true);
    CHECK_FALSE(later.stands_for_cubin(wrong));
    CHECK_FALSE(later.stands_for_cubin(early));
}

#endif
