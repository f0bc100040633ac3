// The rows of gpu_elementwise for the narrow, the unsigned, the 16-bit floating and the complex types.
#include "gpu_contiguous.hpp"
#include "gpu_rows.hpp"

#include <complex>

namespace {

namespace k = kiln;
using namespace kiln::bench;

void add_half_to_float(gpu_rows& rows, std::int64_t elements) {
    const k::array<k::float16> h = k::cast<k::float16>(k::arange<std::int64_t>(elements) % 2039);
    k::array<float> y[2] = {k::zeros<float>({elements}), k::zeros<float>({elements})};
    rows.add({.what = "float16 to float, x 0.5",
              .bytes = 6 * static_cast<double>(elements),
              .at_most = 1.05,
              .once = [&](int call) { y[call % 2] = k::cast<float>(h) * 0.5f; },
              .plan = k::explain(k::cast<float>(h) * 0.5f)});
    rows.check("float16 to float", y[0], [](std::int64_t i) { return static_cast<float>(i % 2039) * 0.5f; });
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_elementwise_types: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t elements = given.number("--elements", 67'108'864);
    report out("gpu_elementwise_types", k::text::format("{}; {} elements", gpu_name(), elements), given);
    const gpu_stream stream;
    gpu_rows rows(out, stream, contiguous_bytes<std::complex<double>>(elements),
                  static_cast<int>(given.number("--rounds", 15)));

    add_contiguous<std::int8_t>(rows, out, "int8", elements);
    add_contiguous<std::int16_t>(rows, out, "int16", elements);
    add_contiguous<std::uint16_t>(rows, out, "uint16", elements);
    add_contiguous<std::uint32_t>(rows, out, "uint32", elements);
    add_contiguous<std::uint64_t>(rows, out, "uint64", elements);
    add_contiguous<k::float16>(rows, out, "float16", elements);
    add_contiguous<k::bfloat16>(rows, out, "bfloat16", elements);
    add_contiguous<std::complex<float>>(rows, out, "complex64", elements);
    add_contiguous<std::complex<double>>(rows, out, "complex128", elements);
    add_half_to_float(rows, elements);
    const bool right = rows.finish();
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_elementwise_types", trouble);
}
