// kiln/compile/elf_check: the dynamic section, then each table that it names.
// Source: System V ABI (gabi), chapters 4 and 5; what glibc reads: elf/get-dynamic-info.h, dl-version.c, dl-lookup.c,
// dl-reloc.c (2.31 to 2.41).
#include <compile/elf_check.hpp>

#include <compile/elf_image.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace kiln::compile {

namespace {

// Kernels have no constructors; whether an address of one is where a function begins, nobody could say.
constexpr const char* runs_by_itself = "it wants to run code while it is loaded";

#if defined(__x86_64__)
enum relocation : std::uint64_t {
    nothing = R_X86_64_NONE,
    pointer = R_X86_64_64,
    global = R_X86_64_GLOB_DAT,
    function_slot = R_X86_64_JUMP_SLOT,
    relative = R_X86_64_RELATIVE,
    tls_module = R_X86_64_DTPMOD64,
    tls_offset = R_X86_64_DTPOFF64,
    tls_static = R_X86_64_TPOFF64,
    tls_pair = R_X86_64_TLSDESC,
};
#elif defined(__aarch64__)
enum relocation : std::uint64_t {
    nothing = R_AARCH64_NONE,
    pointer = R_AARCH64_ABS64,
    global = R_AARCH64_GLOB_DAT,
    function_slot = R_AARCH64_JUMP_SLOT,
    relative = R_AARCH64_RELATIVE,
    tls_module = R_AARCH64_TLS_DTPMOD,
    tls_offset = R_AARCH64_TLS_DTPREL,
    tls_static = R_AARCH64_TLS_TPREL,
    tls_pair = R_AARCH64_TLSDESC,
};
#else  // where elf_image takes none
enum relocation : std::uint64_t {
    nothing,
    pointer,
    global,
    function_slot,
    relative,
    tls_module,
    tls_offset,
    tls_static,
    tls_pair,
};
#endif

/// Of libraries that a kernel may ask for: the C library's and the compiler's own, which this process has.
constexpr std::array<std::string_view, 10> known_libraries = {
    "libm.so", "libc.so",    "libmvec.so", "libgcc_s.so", "libstdc++.so",
    "libc++",  "libc.musl-", "ld-linux",   "ld-musl-",    "libatomic.so"};

class elf_checker {
public:
    explicit elf_checker(std::string_view bytes) : image_(bytes) {}

    void run() {
        read_dynamic_section();
        check_strings();
        check_needed();
        count_symbols();
        check_relocations();
        check_symbols();
        check_versions();
        check_targets();
    }

private:
    // --- The dynamic section ----------------------------------------------------------------------------------------------

    void read_dynamic_section() {
        const elf_range where = image_.dynamic();
        tables_.push_back(where);
        for (std::uint64_t at = 0;; at += sizeof(ElfW(Dyn))) {
            ElfW(Dyn) entry;
            require(at + sizeof entry <= where.bytes && image_.read(where.begin + at, entry),
                    "its dynamic section has no end");
            if (entry.d_tag == DT_NULL) return;
            add_entry(entry.d_tag, entry.d_un.d_val);
        }
    }

    void add_entry(ElfW(Sxword) tag, std::uint64_t value) {
        switch (tag) {
            case DT_NEEDED: needed_.push_back(value); return;
            case DT_STRTAB:
            case DT_STRSZ:
            case DT_SYMTAB:
            case DT_SYMENT:
            case DT_HASH:
            case DT_GNU_HASH:
            case DT_RELA:
            case DT_RELASZ:
            case DT_RELAENT:
            case DT_RELACOUNT:
            case DT_JMPREL:
            case DT_PLTRELSZ:
            case DT_PLTREL:
            case DT_PLTGOT:
            case dt_relr:
            case dt_relrsz:
            case dt_relrent:
            case DT_VERSYM:
            case DT_VERNEED:
            case DT_VERNEEDNUM:
            case DT_VERDEF:
            case DT_VERDEFNUM:
            case DT_SONAME:
            case DT_SYMBOLIC:
            case DT_BIND_NOW:
            case DT_DEBUG:
            case DT_TLSDESC_PLT:
            case DT_TLSDESC_GOT: break;
            case DT_INIT:
            case DT_FINI: require(false, runs_by_itself); break;
            case DT_INIT_ARRAYSZ:
            case DT_FINI_ARRAYSZ: require(value == 0, runs_by_itself); break;
            case DT_INIT_ARRAY:
            case DT_FINI_ARRAY: break;
            case DT_FLAGS: require((value & DF_TEXTREL) == 0, "it wants to write to its code"); break;
            case DT_FLAGS_1:
                require((value & ~std::uint64_t{DF_1_NOW | DF_1_ORIGIN}) == 0, "it wants to be more than a kernel");
                break;
            case DT_AUXILIARY:
            case DT_FILTER: require(false, "it stands for another library"); break;
            default:
                // The processor's own, about how calls are made; a loader follows none of them.
                require(tag >= DT_LOPROC && tag <= DT_HIPROC, "its dynamic section asks for what no kernel needs");
                break;
        }
        require(entries_.emplace(tag, value).second, "its dynamic section says something twice");
    }

    [[nodiscard]] bool has(ElfW(Sxword) tag) const { return entries_.count(tag) != 0; }
    [[nodiscard]] std::uint64_t value(ElfW(Sxword) tag) const {
        const auto found = entries_.find(tag);
        return found == entries_.end() ? 0 : found->second;
    }

    /// A table that nothing may be written to while it is in use.
    void add_table(std::uint64_t address, std::uint64_t bytes) { tables_.push_back({address, bytes}); }

    void check_strings() {
        const std::uint64_t bytes = value(DT_STRSZ);
        const char* const strings = has(DT_STRTAB) && bytes > 0 ? image_.at(value(DT_STRTAB), bytes) : nullptr;
        require(strings != nullptr, "its strings are not in the file");
        strings_ = std::string_view(strings, bytes);
        require(strings_.back() == '\0', "its last string has no end");
        require(value(DT_SONAME) < bytes, "its name is not among its strings");
        add_table(value(DT_STRTAB), bytes);
    }

    [[nodiscard]] std::string_view string_at(std::uint64_t offset) const {
        require(offset < strings_.size(), "a name is not among its strings");
        return strings_.data() + offset;
    }

    void check_needed() const {
        for (const std::uint64_t each : needed_) {
            const std::string_view name = string_at(each);
            const bool is_known = name.find('/') == std::string_view::npos &&
                                  std::any_of(known_libraries.begin(), known_libraries.end(),
                                              [name](std::string_view known) { return name.starts_with(known); });
            require(is_known, "it needs a library that no kernel needs");
        }
    }

    // --- Symbols ----------------------------------------------------------------------------------------------------------

    void count_symbols() {
        require(has(DT_SYMTAB) && value(DT_SYMENT) == sizeof(ElfW(Sym)), "it has no symbol table");
        require(has(DT_GNU_HASH) || has(DT_HASH), "its symbols cannot be looked up");
        if (has(DT_GNU_HASH)) check_gnu_hash(value(DT_GNU_HASH));
        if (has(DT_HASH)) check_hash(value(DT_HASH));
    }

    std::uint32_t word(std::uint64_t address) const {
        std::uint32_t out = 0;
        require(image_.read(address, out), "its hash table is not in the file");
        return out;
    }

    /// Source: Glauber, GNU hash ELF sections; elf/dl-lookup.c, do_lookup_x.
    void check_gnu_hash(std::uint64_t table) {
        const std::uint32_t buckets = word(table);
        const std::uint32_t first_symbol = word(table + 4);
        const std::uint32_t filter_words = word(table + 8);
        require(std::has_single_bit(filter_words) && word(table + 12) < 32, "its hash table's filter makes no sense");
        const std::uint64_t first_bucket = table + 16 + std::uint64_t{filter_words} * sizeof(ElfW(Addr));
        const std::uint64_t first_chain = first_bucket + std::uint64_t{buckets} * 4;
        require(image_.at(table, first_chain - table) != nullptr, "its hash table is not in the file");
        std::uint32_t last = 0;
        for (std::uint32_t i = 0; i < buckets; ++i) {
            const std::uint32_t symbol = word(first_bucket + std::uint64_t{i} * 4);
            require(symbol == 0 || symbol >= first_symbol, "its hash table names symbols that are not in it");
            last = std::max(last, symbol);
        }
        std::uint64_t end = first_symbol;
        if (last != 0)
            for (end = last; (word(first_chain + (end - first_symbol) * 4) & 1) == 0;) ++end;
        symbol_count_ = std::max<std::uint64_t>(symbol_count_, last == 0 ? end : end + 1);
        add_table(table, first_chain - table + (last == 0 ? 0 : (end + 1 - first_symbol) * 4));
    }

    void check_hash(std::uint64_t table) {
        const std::uint64_t buckets = word(table);
        const std::uint64_t symbols = word(table + 4);
        require(buckets > 0 && image_.at(table, (2 + buckets + symbols) * 4) != nullptr,
                "its hash table is not in the file");
        for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
            std::uint64_t steps = 0;
            for (std::uint64_t symbol = word(table + 8 + bucket * 4); symbol != STN_UNDEF;
                 symbol = word(table + 8 + (buckets + symbol) * 4)) {
                require(symbol < symbols, "its hash table names symbols that are not in it");
                require(++steps <= symbols, "its hash table goes in a circle");
            }
        }
        symbol_count_ = std::max(symbol_count_, symbols);
        add_table(table, (2 + buckets + symbols) * 4);
    }

    void check_symbols() {
        const std::uint64_t bytes = symbol_count_ * sizeof(ElfW(Sym));
        require(image_.at(value(DT_SYMTAB), bytes) != nullptr, "its symbol table is not in the file");
        add_table(value(DT_SYMTAB), bytes);
        for (std::uint64_t i = 0; i < symbol_count_; ++i) {
            const ElfW(Sym) each = symbol(i);
            static_cast<void>(string_at(each.st_name));
            if (each.st_shndx == SHN_UNDEF) continue;
            switch (ELF64_ST_TYPE(each.st_info)) {
                case STT_FUNC:
                    require(each.st_shndx != SHN_ABS && image_.has_code(each.st_value), "a function is not code");
                    break;
                case STT_OBJECT:
                    require(each.st_shndx != SHN_ABS && image_.has_memory(each.st_value, each.st_size, PF_R),
                            "a variable is not in memory");
                    break;
                case STT_TLS:
                    require(each.st_value <= image_.thread_bytes(), "a thread's variable is not in memory");
                    break;
                case STT_GNU_IFUNC: require(false, "a function is chosen while it is loaded"); break;
                default: break;
            }
        }
    }

    ElfW(Sym) symbol(std::uint64_t number) const {
        ElfW(Sym) out;
        require(image_.read(value(DT_SYMTAB) + number * sizeof out, out), "its symbol table is not in the file");
        return out;
    }

    // --- Versions of symbols ------------------------------------------------------------------------------------------------

    void check_versions() {
        std::uint32_t last_version = 0;
        if (has(DT_VERNEED)) last_version = check_needed_versions(value(DT_VERNEED));
        if (has(DT_VERDEF)) last_version = std::max(last_version, check_own_versions(value(DT_VERDEF)));
        require(has(DT_VERSYM) == (last_version > 0), "its symbols have versions of nothing, or none");
        if (!has(DT_VERSYM)) return;
        add_table(value(DT_VERSYM), symbol_count_ * sizeof(ElfW(Half)));
        for (std::uint64_t i = 0; i < symbol_count_; ++i) {
            ElfW(Half) version = 0;
            require(image_.read(value(DT_VERSYM) + i * sizeof version, version),
                    "its symbols' versions are not in the file");
            require((version & 0x7fff) <= last_version, "a symbol has a version that is not there");
        }
    }

    /// gold writes one that says nothing.
    std::uint32_t check_own_versions(std::uint64_t at) {
        std::uint32_t last_version = 0;
        for (;;) {
            ElfW(Verdef) version;
            ElfW(Verdaux) name;
            require(image_.read(at, version) && version.vd_version == VER_DEF_CURRENT &&
                        image_.read(at + version.vd_aux, name),
                    "the versions that it has are not in the file");
            add_table(at, sizeof version);
            add_table(at + version.vd_aux, sizeof name);
            static_cast<void>(string_at(name.vda_name));
            last_version = std::max(last_version, std::uint32_t{version.vd_ndx} & 0x7fff);
            if (version.vd_next == 0) return last_version;
            at += version.vd_next;
        }
    }

    /// Each list's next entry lies behind the one before it, so that both end.
    std::uint32_t check_needed_versions(std::uint64_t at) {
        std::uint32_t last_version = 0;
        for (;;) {
            ElfW(Verneed) library;
            require(image_.read(at, library) && library.vn_version == VER_NEED_CURRENT,
                    "the versions that it needs are not in the file");
            add_table(at, sizeof library);
            const std::string_view name = string_at(library.vn_file);
            require(std::any_of(needed_.begin(), needed_.end(),
                                [&](std::uint64_t each) { return string_at(each) == name; }),
                    "it needs versions of a library that it does not need");
            for (std::uint64_t each = at + library.vn_aux;;) {
                ElfW(Vernaux) version;
                require(image_.read(each, version), "the versions that it needs are not in the file");
                add_table(each, sizeof version);
                static_cast<void>(string_at(version.vna_name));
                last_version = std::max(last_version, std::uint32_t{version.vna_other} & 0x7fff);
                if (version.vna_next == 0) break;
                each += version.vna_next;
            }
            if (library.vn_next == 0) return last_version;
            at += library.vn_next;
        }
    }

    // --- Relocations --------------------------------------------------------------------------------------------------------

    void check_relocations() {
        constexpr const char* senseless = "its relocations make no sense";
        require(
            has(DT_RELA) == has(DT_RELASZ) && has(DT_RELA) == has(DT_RELAENT) && (has(DT_RELA) || !has(DT_RELACOUNT)),
            senseless);
        require(has(DT_JMPREL) == has(DT_PLTRELSZ) && has(DT_JMPREL) == has(DT_PLTREL), senseless);
        require(has(dt_relr) == has(dt_relrsz) && has(dt_relr) == has(dt_relrent), senseless);
        if (has(DT_RELA)) {
            require(value(DT_RELAENT) == sizeof(ElfW(Rela)), senseless);
            check_table_of_relocations(value(DT_RELA), value(DT_RELASZ), value(DT_RELACOUNT));
        }
        if (has(DT_JMPREL)) {
            require(value(DT_PLTREL) == DT_RELA, senseless);
            check_table_of_relocations(value(DT_JMPREL), value(DT_PLTRELSZ), 0);
        }
        if (has(dt_relr)) {
            require(value(dt_relrent) == sizeof(ElfW(Addr)), senseless);
            check_packed_relocations(value(dt_relr), value(dt_relrsz));
        }
        if (has(DT_PLTGOT))
            require(image_.has_memory(value(DT_PLTGOT), 3 * sizeof(ElfW(Addr)), PF_W), "its slots are not in memory");
    }

    void check_table_of_relocations(std::uint64_t table, std::uint64_t bytes, std::uint64_t relative_count) {
        const std::uint64_t count = bytes / sizeof(ElfW(Rela));
        require(bytes % sizeof(ElfW(Rela)) == 0 && image_.at(table, bytes) != nullptr && relative_count <= count,
                "its relocations are not in the file");
        add_table(table, bytes);
        for (std::uint64_t i = 0; i < count; ++i) {
            ElfW(Rela) each;
            image_.read(table + i * sizeof each, each);
            check_relocation(each);
            require(i >= relative_count || ELF64_R_TYPE(each.r_info) == relative, "its relocations are not in order");
        }
    }

    void check_relocation(const ElfW(Rela) & each) {
        const std::uint64_t number = ELF64_R_SYM(each.r_info);
        symbol_count_ = std::max(symbol_count_, number + 1);
        std::uint64_t bytes = sizeof(ElfW(Addr));
        switch (ELF64_R_TYPE(each.r_info)) {
            case nothing: return;
            case relative: require(number == STN_UNDEF, "a relocation makes no sense"); break;
            case pointer:
            case global:
            case function_slot: static_cast<void>(symbol(number)); break;
            case tls_pair: bytes *= 2; [[fallthrough]];
            case tls_module:
            case tls_offset:
            case tls_static: {
                const ElfW(Sym) of = symbol(number);
                const bool own = number == STN_UNDEF || of.st_shndx != SHN_UNDEF;
                require(!own || (image_.thread_bytes() > 0 &&
                                 (number == STN_UNDEF || ELF64_ST_TYPE(of.st_info) == STT_TLS)),
                        "a relocation is of thread-local memory that is not there");
                break;
            }
            default: require(false, "a relocation is of no kind that a kernel has");
        }
        targets_.push_back({each.r_offset, bytes});
    }

    /// Addresses, and behind each bits for the words that follow. Source: gabi, DT_RELR.
    void check_packed_relocations(std::uint64_t table, std::uint64_t bytes) {
        require(bytes % sizeof(ElfW(Addr)) == 0 && image_.at(table, bytes) != nullptr,
                "its relocations are not in the file");
        add_table(table, bytes);
        constexpr std::uint64_t word_bytes = sizeof(ElfW(Addr));
        std::uint64_t next = 0;
        const auto add = [&](std::uint64_t address) {
            require(image_.at(address, word_bytes) != nullptr, "a relocation is not in memory");
            targets_.push_back({address, word_bytes});
        };
        for (std::uint64_t at = 0; at < bytes; at += word_bytes) {
            ElfW(Addr) entry = 0;
            image_.read(table + at, entry);
            if ((entry & 1) == 0) {
                add(entry);
                next = entry + word_bytes;
                continue;
            }
            require(next != 0, "its relocations begin with bits");
            for (std::uint64_t bit = 1; bit < word_bytes * 8; ++bit)
                if (entry >> bit & 1) add(next + (bit - 1) * word_bytes);
            next += (word_bytes * 8 - 1) * word_bytes;
        }
    }

    /// Last, when all tables are known: a relocation that writes into one would change it under the loader's eyes.
    void check_targets() const {
        for (const elf_range& each : targets_) {
            require(image_.has_memory(each.begin, each.bytes, PF_W), "a relocation is not in memory");
            for (const elf_range& table : tables_)
                require(!each.overlaps(table), "a relocation writes into the tables");
        }
    }

    // Not yet in every <elf.h>.
    static constexpr ElfW(Sxword) dt_relrsz = 35;
    static constexpr ElfW(Sxword) dt_relr = 36;
    static constexpr ElfW(Sxword) dt_relrent = 37;

    elf_image image_;
    std::vector<elf_range> tables_;
    std::map<ElfW(Sxword), std::uint64_t> entries_;
    std::vector<std::uint64_t> needed_;
    std::string_view strings_;
    std::uint64_t symbol_count_ = 0;
    std::vector<elf_range> targets_;  // what relocations write
};

}  // namespace

std::string why_not_loadable(std::string_view bytes) {
    try {
        elf_checker(bytes).run();
        return {};
    } catch (const elf_damage& found) {
        return found.what;
    }
}

}  // namespace kiln::compile
