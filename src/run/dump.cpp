#include <run/dump.hpp>

#include <compile/program.hpp>
#include <compile/subprocess.hpp>
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

/// nvdisasm's, of PATH or of the toolkit. Empty: there is none.
const std::string& disassembler() {
    struct found_program {
        std::string path = compile::find_trusted_program("nvdisasm", compile::named::in_general).path;
        found_program() {
            for (const char* const home : {"CUDA_HOME", "CUDA_PATH"})
                use(jit_cache::trust::environment(home) + "/bin/nvdisasm");
            use("/usr/local/cuda/bin/nvdisasm");
        }
        void use(const std::string& file) {
            if (path.empty() && file.starts_with('/') && std::filesystem::exists(file) &&
                jit_cache::trust::distrust_program(file, jit_cache::trust::chosen_by::search).empty())
                path = file;
        }
    };
    static constinit process::immortal<found_program> found;
    return found().path;
}

void write_machine_code(const std::string& binary, const std::string& file) {
    if (disassembler().empty()) return;
    const compile::process_result ran = compile::run_process(
        {disassembler(), binary}, {.limits = {.seconds = 60, .output_bytes = std::size_t{1} << 26}});
    if (ran.how == compile::process_end::exited && ran.exit_status == 0) write(file, ran.output);
    else process::warn(text::format("KILN_DUMP: {} {}", disassembler(), ran.ended));
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
    const std::string binary = stem + (!is_cuda ? ".so" : is_machine_code ? ".cubin" : ".ptx");
    write(binary, made.payload);
    if (is_cuda && is_machine_code) write_machine_code(binary, stem + ".sass");
    for (const jit_cache::fact& each : made.extras) write(stem + "." + each.name, each.value);
    std::string facts = text::format("expression: {}\nkey: {}\n", source.expression, hex);
    for (const jit_cache::fact& each : made.facts) facts += text::format("{}: {}\n", each.name, each.value);
    write(stem + ".txt", facts);
}

}  // namespace kiln::inline v0_1::detail
