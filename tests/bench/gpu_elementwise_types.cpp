// The rows of gpu_elementwise for the narrow, the unsigned, the 16-bit floating and the complex types; and pictures, of bytes with a chain
// of float arithmetic between.
#include "gpu_contiguous.hpp"
#include "gpu_rows.hpp"

#include <chrono>
#include <complex>
#include <tuple>

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

template <class Expression>
void add_pictures(gpu_rows& rows, const std::string& what, double bytes, double at_most, const Expression& e) {
    k::array<k::value_t<Expression>> y[2];
    rows.add({.what = what,
              .bytes = bytes,
              .at_most = at_most,
              .once = [&](int call) { y[call % 2] = e; },
              .plan = k::explain(e)});
}

k::array<std::uint8_t> picture(const k::shape& extents, std::int64_t step) {
    return k::reshape(k::cast<std::uint8_t>(k::arange<std::int64_t>(extents.size()) * step % 256), extents);
}

template <class Share, class A, class B>
auto blended(const Share& share, const A& a, const B& b) {
    const auto part = k::cast<float>(share) / 255;
    return k::cast<std::uint8_t>(k::rint(part * k::cast<float>(a) + (1 - part) * k::cast<float>(b)));
}

/// An H100 took 0.99 of a copy (1.16 before), 1.03 (1.04), 1.00 (4.9 by pow of each element), 1.31 (2.5) and 1.06 (1.6).
void add_bytes(gpu_rows& rows, std::int64_t elements) {
    const auto size = static_cast<double>(elements);
    const k::array<std::uint8_t> a = picture({elements}, 7919), b = picture({elements}, 104729),
                                 c = picture({elements}, 1299709);
    add_pictures(rows, "pictures blended", 4 * size, 1.1, blended(c, a, b));
    add_pictures(rows, "brightness", 2 * size, 1.1, k::cast<std::uint8_t>(k::rint(k::cast<float>(a) * 1.2f + 10.0f)));
    add_pictures(rows, "gamma", 2 * size, 1.06,
                 k::cast<std::uint8_t>(k::rint(k::pow(k::cast<float>(a) / 255.0f, 1 / 2.2f) * 255.0f)));
    const std::int64_t pixels = elements / 3 / 16 * 16;
    const k::array<std::uint8_t> colours = picture({pixels, 3}, 7919), others = picture({pixels, 3}, 104729);
    const auto colour_bytes = static_cast<double>(3 * pixels);
    add_pictures(rows, "colours blended, one share a pixel", 10 * colour_bytes / 3, 1.4,
                 blended(picture({pixels, 1}, 1299709), colours, others));
    const k::array<float> gain = k::from_host<float>({1.1f, 0.9f, 1.3f}, {3});
    add_pictures(rows, "white balance", 2 * colour_bytes, 1.15,
                 k::cast<std::uint8_t>(k::rint(k::cast<float>(colours) * gain)));
}

struct dates {
    k::array<std::int32_t> year, month, day;
};

/// Of days since 1970, by ten quotients of scalars. An H100 took 1.03 of a copy (2.1 by the processor's own quotients).
void add_dates(gpu_rows& rows, std::int64_t elements) {
    constexpr std::int64_t some_days = 700'000;
    const k::array<std::int32_t> days = k::cast<std::int32_t>(k::arange<std::int64_t>(elements) % some_days);
    const auto shifted = days + 719468;
    const auto era = k::floor_divide(shifted, 146097);
    const auto of_era = shifted - era * 146097;
    const auto year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const auto of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const auto from_march = (5 * of_year + 2) / 153;
    const auto month = k::where(from_march < 10, from_march + 3, from_march - 9);
    const auto year = year_of_era + era * 400 + k::where(month <= 2, 1, 0);
    const auto day = of_year - (153 * from_march + 2) / 5 + 1;
    dates y[2];
    rows.add({.what = "dates of days, int32",
              .bytes = 16 * static_cast<double>(elements),
              .at_most = 1.6,
              .once =
                  [&](int call) {
                      dates& to = y[call % 2];
                      std::tie(to.year, to.month, to.day) = k::eval(year, month, day);
                  },
              .plan = k::explain(year)});
    const auto expected = [](std::int64_t i) {
        return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(i % some_days)));
    };
    rows.check("years of days", y[0].year, [&](std::int64_t i) { return static_cast<int>(expected(i).year()); });
    rows.check("days of days", y[0].day,
               [&](std::int64_t i) { return static_cast<int>(static_cast<unsigned>(expected(i).day())); });
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
    add_bytes(rows, elements);
    add_dates(rows, elements / 2);
    const bool right = rows.finish();
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_elementwise_types", trouble);
}
