#if KILN_HAS_CUDA

#include <support/cubin_batches.hpp>

#include <compile/cubin_check.hpp>

#include <jit_cache/key.hpp>
#include <kiln/error.hpp>

#include <doctest/doctest.h>

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace tests {

namespace {

using namespace kiln;

constexpr std::size_t kernels_of_a_batch = 32;
constexpr std::string_view mark = "compiled with others: ";

std::string file_of_passed() {
    const char* const folder = std::getenv("KILN_CACHE_DIR");
    return folder && *folder ? std::string(folder) + "/compiled_with_others" : "";
}

/// Macros would reach the kernels behind it; and of a user's text (behind a #line) tests ask what the compiler says.
bool must_be_alone(const std::string& text) {
    return text.find("#define") != std::string::npos || text.find("#line") != std::string::npos;
}

/// Whether it is compiled for "sm_90a" (nvrtc.cpp).
bool is_specific(const std::string& text) { return text.find("wgmma.") != std::string::npos; }

/// Its name in a batch, where others may have the same.
std::string name_in_batch(const emit::source& kernel, std::size_t place) {
    return kernel.name + "_of_batch_" + std::to_string(place);
}

/// The section of an ELF file with this name, empty where there is none.
std::string_view section_of(const std::string& binary, const std::string& name) {
    const auto read = [&binary]<class T>(T& into, std::uint64_t at) {
        if (at + sizeof into <= binary.size()) std::memcpy(&into, binary.data() + at, sizeof into);
        return into;
    };
    Elf64_Ehdr header{};
    read(header, 0);
    Elf64_Shdr names{};
    read(names, header.e_shoff + std::uint64_t{header.e_shstrndx} * sizeof names);
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr each{};
        read(each, header.e_shoff + i * sizeof each);
        const std::uint64_t at = names.sh_offset + each.sh_name;
        if (at < binary.size() && name == binary.c_str() + at && each.sh_offset + each.sh_size <= binary.size())
            return std::string_view(binary).substr(each.sh_offset, each.sh_size);
    }
    return {};
}

}  // namespace

bool waits_first(const std::string& cubin, const std::string& kernel) {
    constexpr std::uint64_t code_bits = 0xfff;  // of the first half of an instruction of 16 bytes
    constexpr std::uint64_t wait = 0x82e;       // ACQBULK
    // Loads, stores and atomics, of the device's memory and of any: LDG, LD, STG, ST, RED, ATOMG, ATOM.
    constexpr std::uint64_t touch_memory[] = {0x381, 0x981, 0x980, 0x386, 0x986, 0x385,
                                              0x985, 0x98e, 0x3a8, 0x9a8, 0x38a, 0x98a};
    const std::string_view code = section_of(cubin, ".text." + kernel);
    for (std::size_t i = 0; (i + 1) * 16 <= code.size(); ++i) {  // of many parameters some are loaded before
        std::uint64_t half = 0;
        std::memcpy(&half, code.data() + i * 16, sizeof half);
        if ((half & code_bits) == wait) return true;
        if (std::count(std::begin(touch_memory), std::end(touch_memory), half & code_bits)) return false;
    }
    return false;
}

cubin_batches::cubin_batches(std::string architecture, bool together, const std::string& one_more)
    : inner_(std::move(architecture), /*driver_major=*/0, one_more),
      together_(together),
      owner_(::getpid()),
      passed_(file_of_passed()) {
    std::ifstream passed(passed_);
    for (std::string line; std::getline(passed, line);) stand_ins_.insert(line);
}

compile::binary cubin_batches::compile(const emit::source& kernel, compile::arithmetic how) {
    batch full;
    std::string stand_in;
    {
        const std::lock_guard lock(mutex_);
        sources_.insert(kernel.text);
        if (together_ && ::getpid() == owner_ && !must_be_alone(kernel.text)) {
            stand_in =
                std::string(mark) +
                jit_cache::to_hex(jit_cache::content_hash(fingerprint() + '\0' + options(how) + '\0' + kernel.text));
            if (stand_ins_.insert(stand_in).second) {
                const doctest::ContextOptions* const run = doctest::getContextOptions();
                const bool in_test = run && run->currentTest;
                batch& open = open_[static_cast<int>(how)][is_specific(kernel.text) ? 1 : 0];
                open.push_back({kernel, stand_in, in_test ? run->currentTest->m_name : ""});
                if (open.size() == kernels_of_a_batch) full.swap(open);
            }
        }
    }
    if (stand_in.empty()) return inner_.compile(kernel, how);
    // Here and not on a thread of its own: tests fork, and a child that is to compile must find no lock of NVRTC's taken.
    run(full, how);
    return {std::move(stand_in), {}};
}

bool cubin_batches::stands_for_cubin(const std::string& bytes) const {
    const std::lock_guard lock(mutex_);
    return stand_ins_.count(bytes) != 0;
}

void cubin_batches::run(const batch& kernels, compile::arithmetic how) {
    if (kernels.empty()) return;
    std::string passed;
    std::string troubles;
    const bool together = trouble_together(kernels, how).empty();
    for (const waiting& each : kernels) {
        const std::string trouble = together ? "" : trouble_alone(each.kernel, how);
        if (trouble.empty()) passed += each.stand_in + '\n';
        else troubles += each.kernel.name + ", of the test case \"" + each.test_case + "\": " + trouble + '\n';
    }
    const std::lock_guard lock(mutex_);
    troubles_ += troubles;
    if (!passed_.empty()) std::ofstream(passed_, std::ios::app) << passed;
}

std::string cubin_batches::trouble_together(const batch& kernels, compile::arithmetic how) {
    emit::source all{"batch", "", ""};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const emit::source& each = kernels[i].kernel;
        all.text += "#define " + each.name + ' ' + name_in_batch(each, i) + "\nnamespace batch_" + std::to_string(i) +
                    " {\n" + each.text + "\n}\n#undef " + each.name + '\n';
    }
    try {
        const std::string cubin = inner_.compile(all, how).bytes;
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            const std::string name = name_in_batch(kernels[i].kernel, i);
            if (std::string why = compile::why_no_cubin(cubin, name); !why.empty()) return why;
            if (!waits_first(cubin, name)) return "no wait";
        }
    } catch (const compile_error& trouble) {
        return trouble.what();
    }
    return "";
}

std::string cubin_batches::trouble_alone(const emit::source& kernel, compile::arithmetic how) {
    try {
        const std::string cubin = inner_.compile(kernel, how).bytes;
        if (std::string why = compile::why_no_cubin(cubin, kernel.name); !why.empty()) return why;
        return waits_first(cubin, kernel.name) ? "" : "it does not wait for the kernels before it";
    } catch (const compile_error& trouble) {
        return std::string(trouble.what()) + '\n' + trouble.log();
    }
}

std::string cubin_batches::finish() {
    for (int how = 0; how < compile::arithmetic_count; ++how)
        for (batch& open : open_[how]) {
            run(open, static_cast<compile::arithmetic>(how));
            open.clear();
        }
    return std::exchange(troubles_, "");
}

std::size_t cubin_batches::source_count() const {
    const std::lock_guard lock(mutex_);
    return sources_.size();
}

}  // namespace tests

#endif
