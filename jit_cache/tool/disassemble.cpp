// kiln-cache/disassemble: three programs, and a folder that nobody else can look into.
#include "disassemble.hpp"

#include "program.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace kiln_cache {

namespace {

/// Gone with the file in it at the end of the scope.
class private_file {
public:
    private_file() {
        for (const std::string& parent : {jit_cache::trust::environment("TMPDIR"), std::string("/tmp"),
                                          std::string("/var/tmp"), std::string("/dev/shm")}) {
            if (!parent.starts_with('/') || !jit_cache::trust::distrust_shared_folder(parent).empty()) continue;
            folder_ = parent + "/kiln-cache-XXXXXX";
            if (::mkdtemp(folder_.data()) != nullptr) return;
        }
        folder_.clear();
    }
    ~private_file() {
        if (folder_.empty()) return;
        ::unlink(path().c_str());
        ::rmdir(folder_.c_str());
    }
    private_file(const private_file&) = delete;
    private_file& operator=(const private_file&) = delete;

    [[nodiscard]] std::string path() const { return folder_ + "/kernel"; }

    /// errno, or 0.
    int write(std::string_view bytes) {
        if (folder_.empty()) return EACCES;
        const int file = ::open(path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0) return errno;
        int error = 0;
        while (!bytes.empty() && error == 0) {
            const ::ssize_t count = ::write(file, bytes.data(), bytes.size());
            if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
            if (count == 0 || (count < 0 && errno != EINTR)) error = count == 0 ? EIO : errno;
        }
        if (::close(file) != 0 && error == 0) error = errno;
        return error;
    }

private:
    std::string folder_;
};

struct candidate {
    const char* name;
    std::vector<std::string> options;
};

bool is_ptx(std::string_view payload) {
    while (payload.ends_with('\0')) payload.remove_suffix(1);
    // NVRTC's own comment comes first, some hundred bytes of it.
    const std::string_view front = payload.substr(0, 2'000);
    return front.find('\0') == std::string_view::npos && front.find(".version ") != std::string_view::npos &&
           front.find(".target ") != std::string_view::npos;
}

std::string words_of(const std::vector<place>& places) {
    std::string text;
    for (const place& each : places) text += (text.empty() ? "" : ", ") + each.folder;
    return text.empty() ? "nowhere: PATH is empty" : text;
}

}  // namespace

binary_kind kind_of(std::string_view payload) {
    constexpr std::size_t header_bytes = 64;
    constexpr std::size_t machine_offset = 18;
    constexpr unsigned cuda_machine = 190;  // EM_CUDA
    if (is_ptx(payload)) return binary_kind::ptx;
    if (payload.size() < header_bytes || !payload.starts_with("\x7f"
                                                              "ELF"))
        return binary_kind::other;
    const unsigned machine = static_cast<unsigned char>(payload[machine_offset]) |
                             static_cast<unsigned>(static_cast<unsigned char>(payload[machine_offset + 1])) << 8;
    return machine == cuda_machine ? binary_kind::cubin : binary_kind::shared_object;
}

disassembly disassemble(std::string_view payload) {
    disassembly result;
    const binary_kind kind = kind_of(payload);
    std::vector<place> places = places_in_path();
    std::vector<candidate> candidates{{"objdump", {"--disassemble", "--demangle", "--no-show-raw-insn"}}};
    if (kind == binary_kind::cubin) {
        candidates = {{"nvdisasm", {}}, {"cuobjdump", {"--dump-sass"}}};
        for (place& each : places_of_cuda("/bin")) places.push_back(std::move(each));
    } else if (kind == binary_kind::ptx) {
        result.trouble = "its binary is PTX, which the driver compiles when it is loaded; --ptx prints it";
        return result;
    } else if (kind == binary_kind::other) {
        result.trouble = "its binary is neither a cubin nor a shared object";
        return result;
    }
    std::vector<std::string> words;
    std::string names;
    for (const candidate& each : candidates) {
        names += std::string(names.empty() ? "" : " and ") + each.name;
        found_program found = find_program(each.name, places);
        if (result.trouble.empty() && !found.refused.empty()) result.trouble = "; passed over: " + found.refused;
        if (found.path.empty()) continue;
        result.program = found.path;
        words = {found.path};
        words.insert(words.end(), each.options.begin(), each.options.end());
        break;
    }
    if (words.empty()) {
        result.trouble.insert(0, "no disassembler: looked for " + names + " in " + words_of(places));
        return result;
    }
    const signals_held_back held_back;  // before the file, which goes first
    private_file file;
    if (const int error = file.write(payload); error != 0) {
        result.trouble = "no temporary file for " + result.program + ": " + std::generic_category().message(error);
        return result;
    }
    words.push_back(file.path());
    program_result ran = run_program(words);
    result.text = std::move(ran.output);
    result.trouble = std::move(ran.trouble);
    return result;
}

}  // namespace kiln_cache
