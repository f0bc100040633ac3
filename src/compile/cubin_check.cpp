// kiln/compile/cubin_check: headers, sections, names, symbols and relocations, each number before it is used.
// Source: System V ABI (gabi), chapters 4 and 5; what NVRTC 12 and 13 write.
#include <compile/cubin_check.hpp>

#include <compile/elf_image.hpp>

#include <vector>

namespace kiln::compile {

namespace {

constexpr Elf64_Half cuda_machine = 190;  // EM_CUDA
constexpr std::string_view code_prefix = ".text.";

class cubin_checker {
public:
    cubin_checker(std::string_view bytes, std::string_view kernel) : bytes_(bytes), kernel_(kernel) {}

    void run() {
        read_headers();
        for (const Elf64_Shdr& each : sections_) check_section(each);
        require(has_code_, "it has no code of the kernel's name");
        require(has_symbol_, "it lacks the kernel's symbol");
    }

private:
    [[nodiscard]] bool has(std::uint64_t offset, std::uint64_t count) const {
        return elf_range{0, bytes_.size()}.holds(offset, count);
    }

    void read_headers() {
        Elf64_Ehdr header;
        require(copy_at(bytes_, 0, header), "it is shorter than an ELF header");
        require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "it is no ELF file");
        require(header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
                    header.e_machine == cuda_machine,
                "it is for another machine");
        require(header.e_type == ET_EXEC, "it is not linked");
        require(header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shnum > 0 && header.e_shstrndx < header.e_shnum,
                "its section headers make no sense");
        require(header.e_phnum == 0 || header.e_phentsize == sizeof(Elf64_Phdr), "its program headers make no sense");
        require(has(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)), "its section headers are not in the file");
        require(has(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)), "its program headers are not in the file");
        for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr each;
            copy_at(bytes_, header.e_phoff + i * sizeof each, each);
            require(has(each.p_offset, each.p_filesz), "a segment is not in the file");
        }
        for (std::uint64_t i = 0; i < header.e_shnum; ++i)
            copy_at(bytes_, header.e_shoff + i * sizeof(Elf64_Shdr), sections_.emplace_back());
        for (const Elf64_Shdr& each : sections_)
            require(each.sh_type == SHT_NULL || each.sh_type == SHT_NOBITS || has(each.sh_offset, each.sh_size),
                    "a section is not in the file");
        names_ = strings_of(header.e_shstrndx);
    }

    /// A string table: it ends in a zero, so that whatever begins in it ends in it.
    [[nodiscard]] std::string_view strings_of(std::uint64_t number) const {
        require(number < sections_.size() && sections_[number].sh_type == SHT_STRTAB, "a table has no strings");
        const Elf64_Shdr& section = sections_[number];
        const std::string_view strings = bytes_.substr(section.sh_offset, section.sh_size);
        require(!strings.empty() && strings.back() == '\0', "its strings have no end");
        return strings;
    }

    [[nodiscard]] static std::string_view string_in(std::string_view strings, std::uint64_t at) {
        require(at < strings.size(), "a name is not in the file");
        return strings.substr(at, strings.find('\0', at) - at);
    }

    void check_section(const Elf64_Shdr& section) {
        const std::string_view name = string_in(names_, section.sh_name);
        require(section.sh_link < sections_.size(), "a section belongs to none");
        if (section.sh_type == SHT_PROGBITS && name.starts_with(code_prefix) &&
            name.substr(code_prefix.size()) == kernel_)
            has_code_ = section.sh_size > 0;
        if (section.sh_type == SHT_SYMTAB) check_symbols(section);
        if (section.sh_type == SHT_REL) check_relocations<Elf64_Rel>(section);
        if (section.sh_type == SHT_RELA) check_relocations<Elf64_Rela>(section);
    }

    void check_symbols(const Elf64_Shdr& table) {
        require(table.sh_entsize == sizeof(Elf64_Sym) && table.sh_size % sizeof(Elf64_Sym) == 0,
                "its symbol table makes no sense");
        const std::string_view strings = strings_of(table.sh_link);
        for (std::uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            copy_at(bytes_, table.sh_offset + at, symbol);
            const std::string_view name = string_in(strings, symbol.st_name);
            require(symbol.st_shndx < sections_.size() || symbol.st_shndx >= SHN_LORESERVE,
                    "a symbol is in no section");
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && name == kernel_) has_symbol_ = true;
        }
    }

    template <class Relocation>
    void check_relocations(const Elf64_Shdr& table) {
        require(table.sh_entsize == sizeof(Relocation) && table.sh_size % sizeof(Relocation) == 0 &&
                    table.sh_info < sections_.size(),
                "its relocations make no sense");
        const Elf64_Shdr& symbols = sections_[table.sh_link];
        const Elf64_Shdr& target = sections_[table.sh_info];
        for (std::uint64_t at = 0; at < table.sh_size; at += sizeof(Relocation)) {
            Relocation each;
            copy_at(bytes_, table.sh_offset + at, each);
            require(ELF64_R_SYM(each.r_info) < symbols.sh_size / sizeof(Elf64_Sym), "a relocation names no symbol");
            require(each.r_offset < target.sh_size, "a relocation is not in its section");
        }
    }

    std::string_view bytes_;
    std::string_view kernel_;
    std::vector<Elf64_Shdr> sections_;
    std::string_view names_;
    bool has_code_ = false;
    bool has_symbol_ = false;
};

}  // namespace

std::string why_no_cubin(std::string_view bytes, std::string_view kernel) {
    try {
        cubin_checker(bytes, kernel).run();
        return {};
    } catch (const elf_damage& found) {
        return found.what;
    }
}

}  // namespace kiln::compile
