// kiln/compile/elf_image: a shared object's bytes as a loader would map them, without mapping them; its header and segments
// are held against the file.
// in: bytes   out: ranges of memory and what the file has for them   knows nothing of: what the tables mean
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace kiln::compile {

/// A part of an object's memory, from its first address on.
struct elf_range {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t count) const {
        return address >= begin && address - begin <= bytes && count <= bytes - (address - begin);
    }
    [[nodiscard]] bool overlaps(const elf_range& other) const {
        return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
};

/// What is wrong with a file, as a sentence.
struct elf_damage {
    const char* what;
};

/// Throws it: the checks nest deeply.
inline void require(bool holds, const char* otherwise) {
    if (!holds) throw elf_damage{otherwise};
}

/// A copy of what lies there: the tables of a damaged file need not be aligned. False: not all of it is in the file.
template <class T>
bool copy_at(std::string_view bytes, std::uint64_t offset, T& into) {
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return false;
    std::memcpy(&into, bytes.data() + offset, sizeof(T));
    return true;
}

class elf_image {
public:
    /// Throws elf_damage unless it is a shared object for this machine, whose segments can be mapped. The bytes must live
    /// as long.
    explicit elf_image(std::string_view bytes);

    /// The dynamic section.
    [[nodiscard]] elf_range dynamic() const { return dynamic_; }
    /// What each thread has of it.
    [[nodiscard]] std::uint64_t thread_bytes() const { return thread_bytes_; }

    /// The file's bytes for a range of memory that one segment loads; nullptr: no segment has it in the file.
    [[nodiscard]] const char* at(std::uint64_t address, std::uint64_t count) const;
    /// A copy: the tables of a damaged file need not be aligned. False: not all of it is there.
    template <class T>
    bool read(std::uint64_t address, T& into) const {
        const char* const from = at(address, sizeof(T));
        if (from) std::memcpy(&into, from, sizeof(T));
        return from != nullptr;
    }

    /// Whether one segment has the range, and may be used so (PF_R, PF_W, PF_X).
    [[nodiscard]] bool has_memory(std::uint64_t address, std::uint64_t count, ElfW(Word) flags) const;
    [[nodiscard]] bool has_code(std::uint64_t address) const {
        return at(address, 1) != nullptr && has_memory(address, 1, PF_X);
    }

private:
    void read_headers();
    void add_segment(const ElfW(Phdr) & segment);
    void check_other_header(const ElfW(Phdr) & header);
    void check_notes(const ElfW(Phdr) & header) const;
    void check_read_only_part(const ElfW(Phdr) & header) const;
    void check_thread_memory(const ElfW(Phdr) & header);

    std::string_view bytes_;
    std::uint64_t page_;
    std::vector<ElfW(Phdr)> headers_;
    std::uint64_t headers_begin_ = 0;   // in the file
    std::vector<ElfW(Phdr)> segments_;  // PT_LOAD, ascending
    bool has_dynamic_ = false;
    elf_range dynamic_;
    std::uint64_t thread_bytes_ = 0;
};

}  // namespace kiln::compile
