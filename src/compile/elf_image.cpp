// kiln/compile/elf_image: header and program headers, each number before it is used.
// Source: System V ABI (gabi), chapter 5; what glibc does with them: elf/dl-load.c, sysdeps/x86/dl-prop.h (2.31 to 2.41).
#include <compile/elf_image.hpp>

#include <unistd.h>

#include <algorithm>
#include <bit>

namespace kiln::compile {

namespace {

#if defined(__x86_64__)
constexpr int this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int this_machine = EM_AARCH64;
#else
constexpr int this_machine = EM_NONE;  // nobody has looked at what its loader does: it interprets
#endif

constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;
constexpr std::size_t most_segments = 64;

}  // namespace

elf_image::elf_image(std::string_view bytes)
    : bytes_(bytes), page_(static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))) {
    read_headers();
    for (const ElfW(Phdr) & each : headers_)
        if (each.p_type == PT_LOAD) add_segment(each);
    for (const ElfW(Phdr) & each : headers_) check_other_header(each);
    require(has_dynamic_, "it has no dynamic section");
}

const char* elf_image::at(std::uint64_t address, std::uint64_t count) const {
    for (const ElfW(Phdr) & each : segments_)
        if (elf_range{each.p_vaddr, each.p_filesz}.holds(address, count))
            return bytes_.data() + each.p_offset + (address - each.p_vaddr);
    return nullptr;
}

bool elf_image::has_memory(std::uint64_t address, std::uint64_t count, ElfW(Word) flags) const {
    for (const ElfW(Phdr) & each : segments_)
        if (elf_range{each.p_vaddr, each.p_memsz}.holds(address, count)) return (each.p_flags & flags) == flags;
    return false;
}

void elf_image::read_headers() {
    ElfW(Ehdr) header;
    require(copy_at(bytes_, 0, header), "it is shorter than an ELF header");
    require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "it is no ELF file");
    require(header.e_ident[EI_CLASS] == (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32) &&
                header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == this_machine,
            "it is for another machine");
    require(header.e_ident[EI_VERSION] == EV_CURRENT && header.e_version == EV_CURRENT &&
                header.e_ident[EI_ABIVERSION] == 0 &&
                (header.e_ident[EI_OSABI] == ELFOSABI_NONE || header.e_ident[EI_OSABI] == ELFOSABI_GNU),
            "it is for another system");
    require(header.e_type == ET_DYN, "it is no shared object");
    require(header.e_phentsize == sizeof(ElfW(Phdr)) && header.e_phnum > 0 && header.e_phnum <= most_segments &&
                header.e_phoff % alignof(ElfW(Phdr)) == 0,
            "its program headers make no sense");
    headers_begin_ = header.e_phoff;
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) each;
        require(header.e_phoff <= bytes_.size() && copy_at(bytes_, header.e_phoff + i * sizeof(ElfW(Phdr)), each),
                "its program headers are not in the file");
        headers_.push_back(each);
    }
    // No loader reads them; but linkers write them last, and a file that ends before them was cut.
    require(
        header.e_shnum == 0 || (header.e_shoff <= bytes_.size() &&
                                std::uint64_t{header.e_shnum} * header.e_shentsize <= bytes_.size() - header.e_shoff),
        "its section headers are not in the file");
}

void elf_image::add_segment(const ElfW(Phdr) & segment) {
    require(segment.p_offset <= bytes_.size() && segment.p_filesz <= bytes_.size() - segment.p_offset,
            "a segment is not in the file");
    require(segment.p_filesz <= segment.p_memsz && segment.p_memsz <= most_memory && segment.p_vaddr <= most_memory,
            "a segment is too large");
    require(std::has_single_bit(segment.p_align) && segment.p_align >= page_ && segment.p_align <= most_memory &&
                (segment.p_vaddr - segment.p_offset) % segment.p_align == 0,
            "a segment is not aligned");
    require((segment.p_flags & PF_R) != 0 && (segment.p_flags & (PF_W | PF_X)) != (PF_W | PF_X),
            "a segment cannot be read, or is both written and run");
    require(segment.p_filesz == segment.p_memsz || (segment.p_flags & PF_W) != 0,
            "a segment that cannot be written to begins empty");
    if (!segments_.empty()) {
        const ElfW(Phdr)& before = segments_.back();
        const std::uint64_t end = (before.p_vaddr + before.p_memsz + page_ - 1) / page_ * page_;
        require(segment.p_vaddr / page_ * page_ >= end, "two segments overlap");
    }
    segments_.push_back(segment);
}

void elf_image::check_other_header(const ElfW(Phdr) & header) {
    const bool in_file = at(header.p_vaddr, std::max(header.p_filesz, header.p_memsz)) != nullptr;
    switch (header.p_type) {
        case PT_DYNAMIC:
            require(!has_dynamic_ && in_file && header.p_vaddr % alignof(ElfW(Dyn)) == 0 &&
                        has_memory(header.p_vaddr, header.p_filesz, PF_W),
                    "its dynamic section is not in the file");
            has_dynamic_ = true;
            dynamic_ = {header.p_vaddr, header.p_filesz};
            break;
        case PT_PHDR:
            // Whoever unwinds the stack reads them where this says that they are.
            require(at(header.p_vaddr, headers_.size() * sizeof(ElfW(Phdr))) == bytes_.data() + headers_begin_,
                    "its program headers are not where it says");
            break;
        case PT_NOTE:
        case PT_GNU_PROPERTY:
            require(in_file, "its notes are not in the file");
            check_notes(header);
            break;
        case PT_GNU_EH_FRAME: require(in_file, "its unwinding table is not in the file"); break;
        case PT_GNU_STACK: require((header.p_flags & PF_X) == 0, "it wants a stack that can be run"); break;
        case PT_GNU_RELRO: check_read_only_part(header); break;
        case PT_TLS: check_thread_memory(header); break;
        default: break;  // nothing that a loader looks at
    }
}

void elf_image::check_notes(const ElfW(Phdr) & header) const {
    const std::uint64_t unit = header.p_align == 8 ? 8 : 4;
    const auto rounded = [unit](std::uint64_t bytes) { return (bytes + unit - 1) / unit * unit; };
    const std::uint64_t end = std::max(header.p_filesz, header.p_memsz);
    ElfW(Nhdr) note;
    for (std::uint64_t at = 0; at + sizeof note <= end;) {
        require(read(header.p_vaddr + at, note), "a note is not in the file");
        const std::uint64_t text = rounded(at + sizeof note + note.n_namesz);
        require(text + note.n_descsz <= end, "a note is longer than all notes");
        at = rounded(text + note.n_descsz);
    }
}

/// What becomes read-only after relocation: whole pages of one segment.
void elf_image::check_read_only_part(const ElfW(Phdr) & header) const {
    const bool inside = std::any_of(segments_.begin(), segments_.end(), [&](const ElfW(Phdr) & each) {
        const std::uint64_t rounded = (each.p_vaddr + each.p_memsz + page_ - 1) / page_ * page_;
        return (each.p_flags & PF_W) != 0 &&
               elf_range{each.p_vaddr, rounded - each.p_vaddr}.holds(header.p_vaddr, header.p_memsz);
    });
    require(inside, "what shall become read-only is not its own");
}

void elf_image::check_thread_memory(const ElfW(Phdr) & header) {
    require(thread_bytes_ == 0, "it has two kinds of thread-local memory");
    require(header.p_filesz <= header.p_memsz && header.p_memsz <= page_ * 16 &&
                (header.p_align == 0 || std::has_single_bit(header.p_align)) && header.p_align <= page_ &&
                // What is at address 0 glibc takes for nothing, and copies it from there all the same.
                (header.p_filesz == 0 || (header.p_vaddr != 0 && at(header.p_vaddr, header.p_filesz) != nullptr)),
            "its thread-local memory makes no sense");
    thread_bytes_ = header.p_memsz;
}

}  // namespace kiln::compile
