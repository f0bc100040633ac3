// The manual, "Profiles": what each kernel, copy, compile and wait costs.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <cstdio>
#include <filesystem>

namespace k = kiln;

int main() {
    const auto folder = std::filesystem::temp_directory_path() / "kiln-contract-profile";
    std::filesystem::create_directories(folder);
    const std::string trace = (folder / "trace.json").string();
    const std::string page = (folder / "profile.html").string();
    const std::string file = (folder / "profile.json").string();
    const k::array<float> x = k::arange<float>(1000);
    k::array<float> y;

    k::profile p;  // records while it lives
    y = k::label("five x", x + x + x + x + x);
    const float last = y.to_host().back();
    p.print();  // a row for each event, then totals
    for (const k::profile_event& each : p.events())
        std::printf("%s %s: %.1f us on %s, %.0f GB/s\n", k::to_string(each.what), each.name.c_str(),
                    static_cast<double>(each.run_ns) * 1e-3, each.device.c_str(), each.gigabytes_per_second());
    p.write_html(page);           // one page: timeline, table, each kernel's source, its place under the roofline
    p.write_chrome_trace(trace);  // opens in ui.perfetto.dev
    p.write_json(file);

    REQUIRE(last == 4995.0f);
    int kernels = 0;
    for (const k::profile_event& each : p.events()) kernels += each.what == k::profiled::kernel;
    REQUIRE(kernels == 1);
    REQUIRE(std::filesystem::file_size(trace) > 100);
    REQUIRE(std::filesystem::file_size(file) > 100);
    REQUIRE(std::filesystem::file_size(page) > 10'000);
    std::filesystem::remove_all(folder);
}
