// tests/bench/store_folder: publishes entries as a store does, under no bound.
#include "store_folder.hpp"

#include <jit_cache/folder.hpp>

#include <text/format.hpp>

#include <unistd.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace kiln::bench {

namespace {

constexpr int sources_per_family = 2;
constexpr int compilers_per_source = 4;
constexpr int kernels_per_family = sources_per_family * compilers_per_source;

}  // namespace

kernel kernel_number(int number) {
    return {.family = number / kernels_per_family,
            .source = number % kernels_per_family / compilers_per_source,
            .compiler = number % compilers_per_source};
}

jit_cache::key key_of(const kernel& which) {
    std::string source = text::format("// kernel {} of expression {}\n", which.source, which.family);
    while (source.size() < 2500) source += "    const float v7 = v5 * s2 + v6;\n    y0[i] = v7 - s1;\n";
    return jit_cache::key()
        .add("expression", text::format("((x0 * s0) + x{}) * (x1 - s1)", which.family))
        .add("source", source)
        .add("target", "sm_90")
        .add("compiler", text::format("nvrtc 13.0.{} /usr/local/cuda/lib64/libnvrtc.so.13 1766021212", which.compiler))
        .add("options",
             "--gpu-architecture=sm_90 --std=c++17 --fmad=false --minimal --no-cache --extra-device-vectorization")
        .add("generator", "kiln 42");
}

jit_cache::artifact artifact_of(std::size_t payload_bytes) {
    std::string payload(payload_bytes, '\0');
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>(i * i >> 3);
    return {.payload = std::move(payload),
            .facts = {{.name = "kernel", .value = "kiln_add4_f32_v4"},
                      {.name = "compile_ms", .value = "31.250"},
                      {.name = "created", .value = "1766021212"},
                      {.name = "registers", .value = "24"}},
            .extras = {}};
}

stored_folder::stored_folder(const std::filesystem::path& parent, int entries) : entries_(entries) {
    std::string name = (parent / "kiln-bench-store-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
    publish(0, entries);
    published_ = entries;
}

stored_folder::~stored_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

int stored_folder::families() const { return (entries_ + kernels_per_family - 1) / kernels_per_family; }

void stored_folder::fill_up() {
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    const auto present = static_cast<int>(jit_cache::sweep(path_, any, any, jit_cache::doing::nothing).entries_left);
    const int missing = entries_ + 1 - present;
    if (missing <= 0) return;
    publish(published_, missing);
    published_ += missing;
}

void stored_folder::publish(int first, int count) const {
    jit_cache::settings settings;
    settings.directory = path_;
    settings.max_bytes = std::numeric_limits<std::uint64_t>::max();
    settings.max_entries = std::numeric_limits<std::uint64_t>::max();
    jit_cache::store store(std::move(settings));
    const auto small = std::make_shared<const jit_cache::artifact>(artifact_of(1'000));
    const auto large = std::make_shared<const jit_cache::artifact>(artifact_of(37'000));
    for (int number = first; number < first + count; ++number)
        store.publish(key_of(kernel_number(number)), number % kernels_per_family == 0 ? large : small);
    store.flush();
}

bool is_writable(const std::filesystem::path& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

}  // namespace kiln::bench
