// kiln/compile/linked_object: sections to places, then relocations, then the tables that a loader reads.
// Source: System V ABI (gabi), chapters 4 and 5; x86-64 psABI, 4.4; LSB, "Exception Frames" (.eh_frame_hdr).
#include <compile/linked_object.hpp>

#include <compile/elf_image.hpp>
#include <compile/object_file.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace kiln::compile {

namespace {

constexpr std::uint64_t page_bytes = 4096;

/// Thrown where the real linker is to do it.
struct wants_a_linker {};

void unless_wanted(bool is_simple) {
    if (!is_simple) throw wants_a_linker{};
}

template <class T>
void put(std::string& bytes, std::uint64_t offset, const T& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

template <class T>
std::uint64_t append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return bytes.size() - sizeof(T);
}

void pad(std::string& bytes, std::uint64_t alignment) {
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
}

/// A table of names: the empty one at 0, each other where add() says.
class names {
public:
    std::uint32_t add(std::string_view name) {
        const auto at = static_cast<std::uint32_t>(text_.size());
        text_.append(name).push_back('\0');
        return at;
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_ = std::string(1, '\0');
};

/// Makes the file from its first byte to its last: what is only read, with the tables; code; what the loader writes. Memory
/// is laid out as the file is, each of the three a page further: so no byte of the file is spent on pages.
class linking {
public:
    explicit linking(const object_file& from) : from_(from), address_of_(from.sections().size(), no_address) {}

    std::string run() {
        require_simple();
        file_.assign(sizeof(Elf64_Ehdr) + header_count * sizeof(Elf64_Phdr), '\0');
        place_constants();
        place_unwinding();
        collect_functions();
        place_tables();
        pad(file_, 64);
        const std::uint64_t code = file_.size();
        place_code();
        place_jumps();
        const std::uint64_t written = (file_.size() + 7) / 8 * 8;
        pad(file_, 8);
        place_dynamic_section();
        relocate();
        write_headers(code, written);
        return std::move(file_);
    }

private:
    static constexpr std::uint64_t no_address = std::numeric_limits<std::uint64_t>::max();
    static constexpr std::uint64_t header_count = 6;
    static constexpr std::uint64_t jump_bytes = 8;
    static constexpr std::uint32_t unwind_type = 0x70000001;  // SHT_X86_64_UNWIND

    // --- What it is made of ----------------------------------------------------------------------------------------------------

    [[nodiscard]] bool is_unwinding(const Elf64_Shdr& each) const { return from_.name_of(each) == ".eh_frame"; }
    [[nodiscard]] static bool is_code(const Elf64_Shdr& each) { return (each.sh_flags & SHF_EXECINSTR) != 0; }
    /// It has a place in memory, and something in it. What notes say (the processor's traps for stray jumps) is of use only
    /// where all of a process says it.
    [[nodiscard]] static bool is_loaded(const Elf64_Shdr& each) {
        return (each.sh_flags & SHF_ALLOC) != 0 && each.sh_size > 0 && each.sh_type != SHT_NOTE;
    }

    void require_simple() const {
        for (const Elf64_Shdr& each : from_.sections()) {
            unless_wanted(each.sh_type != SHT_GROUP && !from_.name_of(each).starts_with(".debug") &&
                          !from_.name_of(each).starts_with(".gnu.lto"));
            if (!is_loaded(each)) continue;
            unless_wanted((each.sh_type == SHT_PROGBITS || each.sh_type == unwind_type) &&
                          (each.sh_flags & (SHF_WRITE | SHF_TLS | SHF_GROUP | SHF_COMPRESSED)) == 0);
            require(each.sh_addralign == 0 || std::has_single_bit(each.sh_addralign), "a section is not aligned");
            unless_wanted(each.sh_addralign <= page_bytes);
        }
        for (const Elf64_Sym& each : from_.symbols()) {
            const int type = ELF64_ST_TYPE(each.st_info);
            const int bind = ELF64_ST_BIND(each.st_info);
            unless_wanted(type != STT_TLS && type != STT_GNU_IFUNC && (bind == STB_LOCAL || bind == STB_GLOBAL));
            unless_wanted(bind == STB_LOCAL || each.st_shndx < SHN_LORESERVE);
        }
    }

    // --- Places ------------------------------------------------------------------------------------------------------------------

    void place(std::size_t section, std::uint64_t pages_before) {
        const Elf64_Shdr& each = from_.sections()[section];
        pad(file_, std::max<std::uint64_t>(each.sh_addralign, 1));
        address_of_[section] = file_.size() + pages_before * page_bytes;
        file_ += from_.contents(each);
    }

    void place_constants() {
        for (std::size_t i = 0; i < from_.sections().size(); ++i) {
            const Elf64_Shdr& each = from_.sections()[i];
            if (is_loaded(each) && !is_code(each) && !is_unwinding(each)) place(i, 0);
        }
    }

    /// The frames, an end, and the header by which a debugger and the C++ library find them.
    void place_unwinding() {
        std::uint64_t frames = 0;
        for (std::size_t i = 0; i < from_.sections().size(); ++i) {
            if (!is_loaded(from_.sections()[i]) || !is_unwinding(from_.sections()[i])) continue;
            unless_wanted(frames == 0);
            pad(file_, 8);
            frames = file_.size();
            place(i, 0);
            unless_wanted(address_of_[i] == frames);
        }
        if (frames == 0) return;
        append(file_, std::uint32_t{0});
        pad(file_, 4);
        constexpr char relative_to_here = 0x1b;  // DW_EH_PE_pcrel | DW_EH_PE_sdata4
        constexpr char left_out = '\xff';        // the table for searching: a kernel has a frame or two
        unwinding_header_ = file_.size();
        file_ += {1, relative_to_here, left_out, left_out};
        append(file_,
               static_cast<std::int32_t>(static_cast<std::int64_t>(frames) - static_cast<std::int64_t>(file_.size())));
    }

    void place_code() {
        for (std::size_t i = 0; i < from_.sections().size(); ++i)
            if (is_loaded(from_.sections()[i]) && is_code(from_.sections()[i])) place(i, 1);
    }

    /// A jump to wherever the loader says that each function is, which a call in the code can reach.
    void place_jumps() {
        pad(file_, 16);
        jumps_ = file_.size();
        for (std::size_t i = 0; i < called_.size(); ++i) file_ += {'\xff', '\x25', 0, 0, 0, 0, '\xcc', '\xcc'};
    }

    // --- What the loader reads -----------------------------------------------------------------------------------------------------

    /// What g++ calls of its own accord, in loops that copy or fill. Every process has them; what else is undefined is for
    /// a linker, who knows the libraries.
    static bool is_always_there(std::string_view name) {
        constexpr std::string_view all[] = {"memcpy", "memmove", "memset", "memcmp"};
        return std::find(std::begin(all), std::end(all), name) != std::end(all);
    }

    void collect_functions() {
        for (std::size_t i = 0; i < from_.symbols().size(); ++i) {
            const Elf64_Sym& each = from_.symbols()[i];
            if (ELF64_ST_BIND(each.st_info) != STB_GLOBAL || ELF64_ST_VISIBILITY(each.st_other) != STV_DEFAULT)
                continue;
            if (each.st_shndx == SHN_UNDEF) {
                unless_wanted(is_always_there(from_.name_of(each)));
                called_.push_back(i);
                continue;
            }
            require(each.st_shndx < from_.sections().size(), "a symbol is in no section");
            const Elf64_Shdr& in = from_.sections()[each.st_shndx];
            unless_wanted(is_loaded(in) && is_code(in) && ELF64_ST_TYPE(each.st_info) == STT_FUNC);
            require(each.st_value <= in.sh_size && each.st_size <= in.sh_size - each.st_value,
                    "a symbol is not in its section");
            functions_.push_back(each);
        }
        unless_wanted(!functions_.empty());
    }

    /// All symbols in one chain: they are few. Their addresses follow when the code has its place.
    void place_tables() {
        names text;
        std::vector<Elf64_Sym> symbols(1);
        for (const Elf64_Sym& each : functions_) {
            Elf64_Sym made{};
            made.st_name = text.add(from_.name_of(each));
            made.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
            made.st_size = each.st_size;
            symbols.push_back(made);
        }
        for (const std::size_t each : called_) {
            Elf64_Sym made{};
            made.st_name = text.add(from_.name_of(from_.symbols()[each]));
            made.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
            symbols.push_back(made);
        }
        pad(file_, 8);
        symbols_ = file_.size();
        for (const Elf64_Sym& each : symbols) append(file_, each);
        hashes_ = file_.size();
        const auto count = static_cast<std::uint32_t>(symbols.size());
        for (const std::uint32_t word : {1U, count, 1U, 0U}) append(file_, word);
        for (std::uint32_t i = 1; i < count; ++i) append(file_, i + 1 < count ? i + 1 : 0U);
        strings_ = file_.size();
        file_ += text.text();
        string_bytes_ = text.text().size();
        pad(file_, 8);
        relocations_ = file_.size();
        file_.resize(file_.size() + called_.size() * sizeof(Elf64_Rela));
    }

    void place_dynamic_section() {
        dynamic_ = file_.size();
        std::vector<std::pair<Elf64_Sxword, std::uint64_t>> entries = {{DT_HASH, hashes_},
                                                                       {DT_STRTAB, strings_},
                                                                       {DT_SYMTAB, symbols_},
                                                                       {DT_STRSZ, string_bytes_},
                                                                       {DT_SYMENT, sizeof(Elf64_Sym)}};
        if (!called_.empty())
            entries.insert(entries.end(), {{DT_RELA, relocations_},
                                           {DT_RELASZ, called_.size() * sizeof(Elf64_Rela)},
                                           {DT_RELAENT, sizeof(Elf64_Rela)}});
        entries.emplace_back(DT_NULL, 0);
        for (const auto& [tag, value] : entries) {
            Elf64_Dyn each{};
            each.d_tag = tag;
            each.d_un.d_val = value;
            append(file_, each);
        }
        dynamic_bytes_ = file_.size() - dynamic_;
        place_slots();
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const std::uint64_t at = symbols_ + (i + 1) * sizeof(Elf64_Sym);
            Elf64_Sym made;
            copy_at(file_, at, made);
            made.st_value = address_of_[functions_[i].st_shndx] + functions_[i].st_value;
            made.st_shndx = text_section;
            put(file_, at, made);
        }
    }

    /// Where the loader writes the addresses of what is called, each through its jump.
    void place_slots() {
        for (std::size_t i = 0; i < called_.size(); ++i) {
            const std::uint64_t slot = append(file_, std::uint64_t{0}) + 2 * page_bytes;
            Elf64_Rela each{};
            each.r_offset = slot;
            each.r_info = ELF64_R_INFO(1 + functions_.size() + i, R_X86_64_GLOB_DAT);
            put(file_, relocations_ + i * sizeof each, each);
            constexpr std::uint64_t opcode_bytes = 2;
            const std::uint64_t distance_at = jumps_ + i * jump_bytes + opcode_bytes;
            const std::uint64_t next = distance_at + page_bytes + sizeof(std::int32_t);
            put(file_, distance_at, static_cast<std::int32_t>(slot - next));
        }
    }

    /// The address of what a relocation is of.
    [[nodiscard]] std::uint64_t address_of(std::size_t symbol, std::uint64_t relocation) const {
        const Elf64_Sym& of = from_.symbols()[symbol];
        if (of.st_shndx == SHN_UNDEF) {
            const auto found = std::find(called_.begin(), called_.end(), symbol);
            unless_wanted(found != called_.end() && relocation == R_X86_64_PLT32);
            return jumps_ + page_bytes + static_cast<std::uint64_t>(found - called_.begin()) * jump_bytes;
        }
        unless_wanted(of.st_shndx < address_of_.size() && address_of_[of.st_shndx] != no_address);
        return address_of_[of.st_shndx] + of.st_value;
    }

    // --- Relocations -------------------------------------------------------------------------------------------------------------

    void relocate() {
        for (const Elf64_Shdr& each : from_.sections()) {
            if (each.sh_type != SHT_RELA && each.sh_type != SHT_REL) continue;
            require(each.sh_info < from_.sections().size(), "relocations are of no section");
            if (address_of_[each.sh_info] == no_address) continue;
            unless_wanted(each.sh_type == SHT_RELA);
            const std::string_view table = from_.contents(each);
            Elf64_Rela one;
            for (std::uint64_t at = 0; copy_at(table, at, one); at += sizeof one) relocate(one, each.sh_info);
        }
    }

    void relocate(const Elf64_Rela& each, std::size_t section) {
        const std::uint64_t type = ELF64_R_TYPE(each.r_info);
        if (type == R_X86_64_NONE) return;
        unless_wanted(type == R_X86_64_PC32 || type == R_X86_64_PLT32);
        const std::uint64_t bytes = from_.sections()[section].sh_size;
        require(each.r_offset <= bytes && bytes - each.r_offset >= sizeof(std::int32_t),
                "a relocation is not in its section");
        require(ELF64_R_SYM(each.r_info) < from_.symbols().size(), "a relocation is of no symbol");
        const std::uint64_t to = address_of(ELF64_R_SYM(each.r_info), type) + static_cast<std::uint64_t>(each.r_addend);
        const std::uint64_t place = address_of_[section] + each.r_offset;
        const auto distance = static_cast<std::int64_t>(to - place);
        unless_wanted(distance == static_cast<std::int32_t>(distance));
        const std::uint64_t pages = is_code(from_.sections()[section]) ? 1 : 0;
        put(file_, place - pages * page_bytes, static_cast<std::int32_t>(distance));
    }

    // --- Headers -----------------------------------------------------------------------------------------------------------------

    static Elf64_Phdr segment(std::uint32_t type, std::uint32_t flags, std::uint64_t begin, std::uint64_t end,
                              std::uint64_t pages, std::uint64_t alignment) {
        Elf64_Phdr made{};
        made.p_type = type;
        made.p_flags = flags;
        made.p_offset = begin;
        made.p_vaddr = made.p_paddr = begin + pages * page_bytes;
        made.p_filesz = made.p_memsz = end - begin;
        made.p_align = alignment;
        return made;
    }

    static constexpr std::uint16_t text_section = 3;

    /// For people's tools; no loader reads them.
    void write_section_headers(std::uint64_t code, std::uint64_t code_end) {
        names text;
        std::vector<Elf64_Shdr> made(1);
        const auto add = [&](const char* name, std::uint32_t type, std::uint64_t flags, std::uint64_t begin,
                             std::uint64_t bytes, std::uint64_t pages) -> Elf64_Shdr& {
            Elf64_Shdr each{};
            each.sh_name = text.add(name);
            each.sh_type = type;
            each.sh_flags = flags;
            each.sh_offset = begin;
            each.sh_addr = flags & SHF_ALLOC ? begin + pages * page_bytes : 0;
            each.sh_size = bytes;
            each.sh_addralign = 1;
            return made.emplace_back(each);
        };
        Elf64_Shdr& symbols = add(".dynsym", SHT_DYNSYM, SHF_ALLOC, symbols_, hashes_ - symbols_, 0);
        symbols.sh_link = 2;
        symbols.sh_info = 1;
        symbols.sh_entsize = sizeof(Elf64_Sym);
        symbols.sh_addralign = 8;
        add(".dynstr", SHT_STRTAB, SHF_ALLOC, strings_, string_bytes_, 0);
        add(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, code_end - code, 1);
        Elf64_Shdr& dynamic = add(".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, dynamic_, dynamic_bytes_, 2);
        dynamic.sh_link = 2;
        dynamic.sh_entsize = sizeof(Elf64_Dyn);
        dynamic.sh_addralign = 8;
        const std::uint64_t at = file_.size();
        Elf64_Shdr& own = add(".shstrtab", SHT_STRTAB, 0, at, 0, 0);
        own.sh_size = text.text().size();
        file_ += text.text();
        pad(file_, 8);
        section_headers_ = file_.size();
        section_count_ = static_cast<std::uint16_t>(made.size());
        for (const Elf64_Shdr& each : made) append(file_, each);
    }

    void write_headers(std::uint64_t code, std::uint64_t written) {
        const std::uint64_t loaded_end = file_.size();
        write_section_headers(code, written);
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_DYN;
        header.e_machine = EM_X86_64;
        header.e_version = EV_CURRENT;
        header.e_phoff = sizeof header;
        header.e_shoff = section_headers_;
        header.e_ehsize = sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = header_count;
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = section_count_;
        header.e_shstrndx = static_cast<std::uint16_t>(section_count_ - 1);
        put(file_, 0, header);
        const std::uint64_t frames = unwinding_header_;
        constexpr std::uint64_t frame_header_bytes = 8;
        const Elf64_Phdr segments[header_count] = {
            segment(PT_LOAD, PF_R, 0, code, 0, page_bytes),
            segment(PT_LOAD, PF_R | PF_X, code, written, 1, page_bytes),
            segment(PT_LOAD, PF_R | PF_W, dynamic_, loaded_end, 2, page_bytes),
            segment(PT_DYNAMIC, PF_R | PF_W, dynamic_, dynamic_ + dynamic_bytes_, 2, 8),
            segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 16),
            segment(frames > 0 ? PT_GNU_EH_FRAME : PT_NULL, PF_R, frames,
                    frames + (frames > 0 ? frame_header_bytes : 0), 0, 4)};
        for (std::size_t i = 0; i < header_count; ++i) put(file_, sizeof header + i * sizeof(Elf64_Phdr), segments[i]);
    }

    const object_file& from_;
    std::vector<std::uint64_t> address_of_;  // of each section in memory
    std::string file_;
    std::vector<Elf64_Sym> functions_;
    std::vector<std::size_t> called_;  // symbols that are not its own
    std::uint64_t jumps_ = 0;
    std::uint64_t relocations_ = 0;
    std::uint64_t unwinding_header_ = 0;
    std::uint64_t symbols_ = 0;
    std::uint64_t hashes_ = 0;
    std::uint64_t strings_ = 0;
    std::uint64_t string_bytes_ = 0;
    std::uint64_t dynamic_ = 0;
    std::uint64_t dynamic_bytes_ = 0;
    std::uint64_t section_headers_ = 0;
    std::uint16_t section_count_ = 0;
};

}  // namespace

std::optional<std::string> link_object(std::string_view object) {
    if (!links_objects) return {};
    try {
        const object_file read(object);
        return linking(read).run();
    } catch (const wants_a_linker&) {
        return {};
    }
}

}  // namespace kiln::compile
