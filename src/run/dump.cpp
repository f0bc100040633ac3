#include <run/dump.hpp>

#include <jit_cache/trust.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <text/format.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace kiln::inline v0_1::detail {

namespace {

struct wanted_folder {
    std::filesystem::path path = jit_cache::trust::environment("KILN_DUMP");
};
constinit process::immortal<wanted_folder> folder;

void write(const std::filesystem::path& file, std::string_view text) {
    std::ofstream out(file, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    if (!out) process::warn(text::format("KILN_DUMP: {} cannot be written", file.string()));
}

}  // namespace

bool dumps() noexcept { return !folder().path.empty(); }

void dump(const emit::source& source, const jit_cache::key& key, const jit_cache::artifact& made, bool is_cuda) {
    std::error_code trouble;
    std::filesystem::create_directories(folder().path, trouble);
    const std::string hex = jit_cache::to_hex(key.name());
    const std::string stem = (folder().path / (source.name + "-" + hex.substr(0, 8))).string();
    write(stem + (is_cuda ? ".cu" : ".cpp"), source.text);
    const bool is_machine_code = made.payload.starts_with("\x7f");
    write(stem + (!is_cuda ? ".so" : is_machine_code ? ".cubin" : ".ptx"), made.payload);
    for (const jit_cache::fact& each : made.extras) write(stem + "." + each.name, each.value);
    std::string facts = text::format("expression: {}\nkey: {}\n", source.expression, hex);
    for (const jit_cache::fact& each : made.facts) facts += text::format("{}: {}\n", each.name, each.value);
    write(stem + ".txt", facts);
}

}  // namespace kiln::inline v0_1::detail
