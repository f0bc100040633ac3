// kiln/compile/identity: a few page reads of an ELF file's headers and notes, each offset held against the file's size.
#include <compile/identity.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/descriptor.hpp>

#include <jit_cache/key.hpp>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln::compile {

namespace {

// Larger ones are somebody's attempt to have kiln read a disk: build ids and names of loaders are dozens of bytes.
constexpr std::uint64_t largest_note = 64 * 1024;
constexpr std::uint64_t largest_path = 4096;

/// A regular file that is open, and its size.
class opened_file {
public:
    explicit opened_file(const std::string& path)
        : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {
        if (!file_ && is_passing(errno)) throw std::system_error(errno, std::generic_category(), path);
        if (!file_ || ::fstat(file_.get(), &status_) != 0 || !S_ISREG(status_.st_mode)) file_.close();
    }

    explicit operator bool() const { return static_cast<bool>(file_); }
    [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(status_.st_size); }

    /// The bytes of a range that lies in the file; empty when it does not.
    [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t count) const {
        if (offset > size() || count > size() - offset) return {};
        std::string bytes(count, '\0');
        for (std::size_t done = 0; done < bytes.size();) {
            const ::ssize_t got =
                ::pread(file_.get(), bytes.data() + done, bytes.size() - done, static_cast<::off_t>(offset + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw std::system_error(errno, std::generic_category(), "reading a program");
            if (got == 0) return {};  // it became shorter meanwhile
            done += static_cast<std::size_t>(got);
        }
        return bytes;
    }

    template <class T>
    [[nodiscard]] std::vector<T> read_all(std::uint64_t offset, std::size_t count) const {
        const std::string bytes = read(offset, std::uint64_t{count} * sizeof(T));
        std::vector<T> all(bytes.size() / sizeof(T));
        if (!all.empty()) std::memcpy(all.data(), bytes.data(), all.size() * sizeof(T));
        return all;
    }

private:
    descriptor file_;
    struct ::stat status_ {};
};

/// Empty: no ELF file of this process's word length and byte order.
std::vector<ElfW(Ehdr)> elf_header(const opened_file& file) {
    std::vector<ElfW(Ehdr)> header = file.read_all<ElfW(Ehdr)>(0, 1);
    constexpr unsigned char word = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    constexpr unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    if (!header.empty() && (std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
                            header[0].e_ident[EI_CLASS] != word || header[0].e_ident[EI_DATA] != order))
        header.clear();
    return header;
}

std::vector<ElfW(Phdr)> segments(const opened_file& file, const ElfW(Ehdr) & header) {
    if (header.e_phentsize != sizeof(ElfW(Phdr))) return {};
    return file.read_all<ElfW(Phdr)>(header.e_phoff, header.e_phnum);
}

std::vector<ElfW(Shdr)> sections(const opened_file& file, const ElfW(Ehdr) & header) {
    if (header.e_shentsize != sizeof(ElfW(Shdr))) return {};
    return file.read_all<ElfW(Shdr)>(header.e_shoff, header.e_shnum);
}

/// The description of the first NT_GNU_BUILD_ID among notes; empty when there is none.
std::string_view build_id_among(std::string_view notes, std::uint64_t alignment) {
    const std::uint64_t unit = alignment == 8 ? 8 : 4;
    const auto rounded = [unit](std::uint64_t bytes) { return (bytes + unit - 1) / unit * unit; };
    constexpr std::string_view gnu("GNU\0", 4);
    while (notes.size() > sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes.data(), sizeof note);
        const std::uint64_t name_at = sizeof note;
        const std::uint64_t text_at = rounded(name_at + note.n_namesz);
        const std::uint64_t end = text_at + note.n_descsz;
        if (end > notes.size()) return {};
        if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name_at, note.n_namesz) == gnu)
            return notes.substr(text_at, note.n_descsz);
        notes.remove_prefix(std::min<std::uint64_t>(rounded(end), notes.size()));
    }
    return {};
}

std::string hexadecimal(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4];
        text += digits[static_cast<unsigned char>(c) & 0xfu];
    }
    return text;
}

/// By the segments, as a loader finds notes; then by the sections, since tools that rewrite libraries for wheels have left
/// the segment behind (NVRTC 12.0).
std::string build_id(const opened_file& file) {
    const std::vector<ElfW(Ehdr)> header = elf_header(file);
    if (header.empty()) return {};
    std::string found;
    const auto look = [&](std::uint64_t offset, std::uint64_t bytes, std::uint64_t alignment) {
        if (!found.empty() || bytes > largest_note) return;
        const std::string notes = file.read(offset, bytes);
        found = hexadecimal(build_id_among(notes, alignment));
    };
    for (const ElfW(Phdr) & each : segments(file, header[0]))
        if (each.p_type == PT_NOTE) look(each.p_offset, each.p_filesz, each.p_align);
    if (!found.empty()) return found;
    for (const ElfW(Shdr) & each : sections(file, header[0]))
        if (each.sh_type == SHT_NOTE) look(each.sh_offset, each.sh_size, each.sh_addralign);
    return found;
}

/// Of pieces of a megabyte each, so that a library of 100 MB is not held at once.
std::string content(const opened_file& file) {
    constexpr std::uint64_t piece = std::uint64_t{1} << 20;
    std::string hashes;
    for (std::uint64_t at = 0; at < file.size(); at += piece) {
        const std::string bytes = file.read(at, std::min(piece, file.size() - at));
        if (bytes.empty()) return {};
        hashes += to_hex(jit_cache::content_hash(bytes));
    }
    return to_hex(jit_cache::content_hash(hashes));
}

/// Of a program that may be run and not read: all that is known of it.
std::string stamp(const std::string& path) {
    struct ::stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return "unread " + std::to_string(status.st_size) + " bytes, changed " + std::to_string(status.st_mtim.tv_sec) +
           "." + std::to_string(status.st_mtim.tv_nsec);
}

}  // namespace

std::string file_identity(const std::string& path) {
    const opened_file file(path);
    if (!file) return stamp(path);
    if (const std::string id = build_id(file); !id.empty())
        return "build-id " + id + " " + std::to_string(file.size()) + " bytes";
    const std::string hash = content(file);
    return hash.empty() ? std::string() : "content " + hash;
}

std::string program_loader(const std::string& path) {
    const opened_file file(path);
    if (!file) return {};
    const std::vector<ElfW(Ehdr)> header = elf_header(file);
    if (header.empty()) return {};
    for (const ElfW(Phdr) & each : segments(file, header[0])) {
        if (each.p_type != PT_INTERP || each.p_filesz > largest_path) continue;
        const std::string loader = file.read(each.p_offset, each.p_filesz);
        return loader.substr(0, loader.find('\0'));
    }
    return {};
}

}  // namespace kiln::compile
