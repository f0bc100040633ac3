// A loop per element with an end of its own: how do I write that?
//
//     mandelbrot [picture.pgm [width]]
//
// The Mandelbrot set as a grey picture, one kernel. An expression has no loops: k::expr could unroll 255 turns of
// z = z * z + c into one long kernel, but all points would pay for all turns. The turns of one point are what k::function
// is for: ordinary C++ with a loop that stops when the point has left.
#include "measure.hpp"

#include <complex>
#include <cstdio>

namespace k = kiln;

namespace {

constexpr int limit = 255;

// A complex number in a body has the parts .re and .im.
const char* const turns_body = R"(
    float re = 0, im = 0;
    int turns = 0;
    while (turns < limit && re * re + im * im <= 4) {
        const float next = re * re - im * im + c.re;
        im = 2 * (re * im) + c.im;
        re = next;
        ++turns;
    }
    return turns;
)";

/// The same on the host, for the check.
int turns_of(std::complex<float> c) {
    float re = 0, im = 0;
    int turns = 0;
    while (turns < limit && re * re + im * im <= 4) {
        const float next = re * re - im * im + c.real();
        im = 2 * (re * im) + c.imag();
        re = next;
        ++turns;
    }
    return turns;
}

void write_pgm(const char* path, const std::vector<std::uint8_t>& grey, std::int64_t width, std::int64_t height) {
    std::FILE* const file = std::fopen(path, "wb");
    bool written =
        file && std::fprintf(file, "P5\n%ld %ld\n255\n", static_cast<long>(width), static_cast<long>(height)) > 0;
    written = written && std::fwrite(grey.data(), 1, grey.size(), file) == grey.size();
    if (!file || std::fclose(file) != 0 || !written) throw std::runtime_error(std::string("cannot write ") + path);
}

void run(const char* path, std::int64_t width) {
    const std::int64_t height = width * 2 / 3;
    auto turns = k::function<int(std::complex<float>, int)>("turns", {"c", "limit"}, turns_body);

    // Points of the plane from a row and a column that broadcast; nothing of this is stored.
    auto real = k::linspace(-2.0f, 1.0f, width);
    auto imaginary = k::slice(k::linspace(1.0f, -1.0f, height), k::all, k::newaxis);
    auto c = real + imaginary * std::complex<float>(0, 1);
    auto grey = k::cast<std::uint8_t>(limit - turns(c, limit));

    fmt::print("{} x {} points on {}\n\n", width, height, device_text());
    k::array<std::uint8_t> picture;
    const double first_ms = milliseconds([&] { picture = grey; });
    const double warm_ms = median_milliseconds([&] { picture = grey; });
    const std::vector<std::uint8_t> pixels = picture.to_host();
    double all_turns = 0;
    for (const std::uint8_t pixel : pixels) all_turns += limit - pixel;
    fmt::print("first call  {:>10.3f} ms\nwarm        {:>10.3f} ms, {:.2f} billion turns/s\n\n", first_ms, warm_ms,
               all_turns / warm_ms * 1e-6);
    write_pgm(path, pixels, width, height);
    fmt::print("written to {}\n", path);

    const std::vector<std::complex<float>> points = k::eval(c).to_host();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < points.size(); i += 7) wrong += pixels[i] != limit - turns_of(points[i]);
    check(wrong == 0, "every 7th point takes as many turns as on the host");
}

}  // namespace

int main(int argc, char** argv) try {
    if (!k::current_device().describe().compiles) {
        fmt::print("A k::function is C++, and the CPU device interprets (KILN_CPU=interpret, or no compiler).\n");
        return 77;
    }
    run(argc > 1 ? argv[1] : "mandelbrot.pgm", argc > 2 ? std::atoll(argv[2]) : 1536);
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "mandelbrot: {}\n", trouble.what());
    return 1;
}
