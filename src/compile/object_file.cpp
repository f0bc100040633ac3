// kiln/compile/object_file: header, section headers, the symbol table.
// Source: System V ABI (gabi), chapter 4.
#include <compile/object_file.hpp>

#include <compile/elf_image.hpp>

namespace kiln::compile {

namespace {

constexpr std::uint64_t most_sections = 4096;
constexpr std::uint64_t most_symbols = std::uint64_t{1} << 20;

}  // namespace

object_file::object_file(std::string_view bytes) : bytes_(bytes) {
    read_sections();
    read_symbols();
}

void object_file::read_sections() {
    Elf64_Ehdr header;
    require(copy_at(bytes_, 0, header), "it is shorter than an ELF header");
    require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "it is no ELF file");
    require(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
                header.e_machine == EM_X86_64,
            "it is for another machine");
    require(header.e_type == ET_REL, "it is no object file");
    require(header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum > 0 && header.e_shnum <= most_sections,
            "its section headers make no sense");
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr each;
        require(header.e_shoff <= bytes_.size() && copy_at(bytes_, header.e_shoff + i * sizeof each, each),
                "its section headers are not in the file");
        require(each.sh_type == SHT_NULL || each.sh_type == SHT_NOBITS ||
                    (each.sh_offset <= bytes_.size() && each.sh_size <= bytes_.size() - each.sh_offset),
                "a section is not in the file");
        sections_.push_back(each);
    }
    require(header.e_shstrndx < sections_.size(), "its sections have no names");
    section_names_ = header.e_shstrndx;
}

void object_file::read_symbols() {
    for (const Elf64_Shdr& each : sections_) {
        if (each.sh_type != SHT_SYMTAB) continue;
        const std::uint64_t count = each.sh_size / sizeof(Elf64_Sym);
        require(symbols_.empty() && count > 0 && count <= most_symbols, "its symbols make no sense");
        require(each.sh_link < sections_.size(), "its symbols have no names");
        symbol_names_ = each.sh_link;
        symbols_.resize(count);
        std::memcpy(symbols_.data(), contents(each).data(), count * sizeof(Elf64_Sym));
    }
}

std::string_view object_file::contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS) return {};
    return bytes_.substr(section.sh_offset, section.sh_size);
}

std::string_view object_file::name_in(const Elf64_Shdr& table, std::uint64_t at) const {
    require(table.sh_type == SHT_STRTAB, "its names make no sense");
    const std::string_view text = contents(table);
    require(at < text.size(), "a name is not in the file");
    const std::size_t end = text.find('\0', at);
    require(end != std::string_view::npos, "a name has no end");
    return text.substr(at, end - at);
}

}  // namespace kiln::compile
