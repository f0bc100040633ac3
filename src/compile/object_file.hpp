// kiln/compile/object_file: the tables of an object file, each number held against the file before it is used.
// in: bytes   out: sections, symbols, their names   knows nothing of: what becomes of them
#pragma once

#include <elf.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kiln::compile {

class object_file {
public:
    /// Throws elf_damage unless it is an object file for x86-64. The bytes must live as long.
    explicit object_file(std::string_view bytes);

    [[nodiscard]] const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<Elf64_Sym>& symbols() const { return symbols_; }
    /// Empty for a section that has nothing in the file.
    [[nodiscard]] std::string_view contents(const Elf64_Shdr& section) const;
    [[nodiscard]] std::string_view name_of(const Elf64_Shdr& section) const {
        return name_in(sections_[section_names_], section.sh_name);
    }
    [[nodiscard]] std::string_view name_of(const Elf64_Sym& symbol) const {
        return name_in(sections_[symbol_names_], symbol.st_name);
    }

private:
    void read_sections();
    void read_symbols();
    [[nodiscard]] std::string_view name_in(const Elf64_Shdr& table, std::uint64_t at) const;

    std::string_view bytes_;
    std::vector<Elf64_Shdr> sections_;
    std::vector<Elf64_Sym> symbols_;
    std::uint64_t section_names_ = 0;
    std::uint64_t symbol_names_ = 0;
};

}  // namespace kiln::compile
