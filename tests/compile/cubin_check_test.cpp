// compile/cubin_check: what NVRTC writes is taken, and what was cut or is for something else is not.

#include <compile/cubin_check.hpp>
#include <compile/nvrtc.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace {

using kiln::compile::nvrtc_toolchain;
using kiln::compile::why_no_cubin;

// Has what a kernel of kiln's may have: a symbol of its own, constants, shared memory, a call of the library.
const kiln::emit::source source{
    "kiln_wave",
    "__constant__ float table[4] = {1, 2, 3, 4};\n"
    "extern \"C\" __global__ void kiln_wave(float* to, const double* from, unsigned int count) {\n"
    "    __shared__ float kept[64];\n"
    "    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    kept[threadIdx.x % 64] = sin(from[i]) * table[i % 4];\n"
    "    __syncthreads();\n"
    "    if (i < count) to[i] = kept[(threadIdx.x + 1) % 64];\n"
    "}\n",
    "wave"};

/// Empty where there is no NVRTC, or no CUDA in this build.
std::string built(const std::string& target = "sm_90") {
    nvrtc_toolchain compiler(target);
    return KILN_HAS_CUDA && compiler.is_there() ? compiler.compile(source).bytes : std::string();
}

struct part {
    std::uint64_t begin;
    std::uint64_t bytes;
};

/// The headers, and the tables of names, symbols and relocations.
std::vector<part> tables_of(const std::string& binary) {
    Elf64_Ehdr header;
    std::memcpy(&header, binary.data(), sizeof header);
    std::vector<part> all = {{0, sizeof header},
                             {header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)},
                             {header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)}};
    for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr each;
        std::memcpy(&each, binary.data() + header.e_shoff + i * sizeof each, sizeof each);
        if (each.sh_type == SHT_SYMTAB || each.sh_type == SHT_STRTAB || each.sh_type == SHT_REL ||
            each.sh_type == SHT_RELA)
            all.push_back({each.sh_offset, each.sh_size});
    }
    return all;
}

std::string with_a_word_replaced(std::string binary, std::minstd_rand& random) {
    const std::vector<part> tables = tables_of(binary);
    const part& table = tables[random() % tables.size()];
    if (table.bytes < 4) return binary;
    const std::uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff, 0x10000, static_cast<std::uint32_t>(random())};
    const std::uint32_t value = values[random() % 6];
    std::memcpy(binary.data() + table.begin + random() % (table.bytes / 4) * 4, &value, sizeof value);
    return binary;
}

}  // namespace

TEST_CASE("what NVRTC writes is taken, for every architecture that it knows") {
    for (const char* const target : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
        CAPTURE(target);
        const std::string binary = built(target);
        if (binary.empty()) return;
        CHECK(why_no_cubin(binary, "kiln_wave") == "");
        CHECK(why_no_cubin(binary, "kiln_wav") == "it has no code of the kernel's name");
        CHECK(why_no_cubin(binary, "") != "");
    }
}

TEST_CASE("case 9 and 10: machine code for another machine, without its symbol, or cut anywhere is refused") {
    const std::string binary = built();
    if (binary.empty()) return;
    CHECK(why_no_cubin("", "kiln_wave") == "it is shorter than an ELF header");
    CHECK(why_no_cubin(std::string(1000, 'x'), "kiln_wave") == "it is no ELF file");
    std::string other = binary;
    other[18] = EM_X86_64;
    CHECK(why_no_cubin(other, "kiln_wave") == "it is for another machine");
    std::string renamed = binary;
    for (std::size_t at = 0; (at = renamed.find("kiln_", at)) != std::string::npos;) renamed.replace(at, 5, "KILN_");
    CHECK(why_no_cubin(renamed, "kiln_wave") == "it has no code of the kernel's name");
    for (std::size_t length = 0; length < binary.size(); ++length) {
        CAPTURE(length);
        REQUIRE(why_no_cubin(std::string_view(binary).substr(0, length), "kiln_wave") != "");
    }
}

TEST_CASE("of machine code whose tables are damaged most is refused, and none is read beyond its end") {
    const std::string binary = built();
    if (binary.empty()) return;
    std::minstd_rand random(1);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i)
        if (!why_no_cubin(with_a_word_replaced(binary, random), "kiln_wave").empty()) ++refused;
    CHECK(refused > 1'000);
}
