// kiln/compile/host_cpu: cpuid and xgetbv on x86, AT_HWCAP on ARM.
#include <compile/host_cpu.hpp>

#include <jit_cache/key.hpp>
#include <process/immortal.hpp>

#include <sys/auxv.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kiln::compile {

namespace {

struct description {
    std::string model;
    const char* architecture;
    std::vector<std::uint64_t> facts;  // what makes code for one processor not be code for another
};

#if defined(__x86_64__)

struct leaf {
    std::uint32_t eax = 0;
    std::uint32_t ebx = 0;
    std::uint32_t ecx = 0;
    std::uint32_t edx = 0;
};

/// Zeros where the processor has no such leaf; asked beyond its last one, it would answer with that.
leaf ask(std::uint32_t number, std::uint32_t last, std::uint32_t part = 0) {
    leaf out;
    if (number <= last) __cpuid_count(number, part, out.eax, out.ebx, out.ecx, out.edx);
    return out;
}

constexpr std::uint32_t bits(std::initializer_list<int> numbers) {
    std::uint32_t mask = 0;
    for (const int each : numbers) mask |= 1u << each;
    return mask;
}

// Of each register the instructions that a compiler may choose. The other bits (mitigations, power, the number of the
// core, the hypervisor) change with microcode and firmware, and with the core that happens to be asked.
// Source: Intel SDM volume 2A, CPUID; AMD64 APM volume 3, appendix E; gcc's i386/cpuid.h.
constexpr std::uint32_t family_and_model = 0x0fff3ff0;  // not the stepping
constexpr std::uint32_t leaf_1_ecx = bits({0, 1, 9, 12, 13, 19, 20, 22, 23, 25, 26, 27, 28, 29, 30});
constexpr std::uint32_t leaf_1_edx = bits({8, 15, 23, 24, 25, 26});
constexpr std::uint32_t leaf_7_ebx =
    bits({0, 2, 3, 4, 5, 8, 10, 11, 16, 17, 18, 19, 21, 23, 24, 26, 27, 28, 29, 30, 31});
constexpr std::uint32_t leaf_7_ecx = bits({0, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12, 14, 22, 23, 25, 27, 28, 29});
constexpr std::uint32_t leaf_7_edx = bits({2, 3, 5, 8, 14, 16, 18, 20, 22, 23, 24, 25});
constexpr std::uint32_t leaf_d_1_eax = bits({0, 1, 3});
constexpr std::uint32_t extended_ecx = bits({0, 5, 6, 8, 11, 15, 16, 21, 29});
constexpr std::uint32_t extended_edx = bits({22, 29, 30, 31});
constexpr std::uint32_t extended_8_ebx = bits({0, 9});
// The registers that the operating system saves: SSE, AVX, AVX-512, AMX.
constexpr std::uint64_t saved_registers = 0xe6 | 0x60000;

std::uint64_t registers_saved_by_the_system() {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (std::uint64_t{high} << 32 | low) & saved_registers;
}

std::string brand(std::uint32_t last_extended) {
    if (last_extended < 0x80000004u) return {};
    char text[48];
    for (std::uint32_t part = 0; part < 3; ++part) {
        const leaf each = ask(0x80000002u + part, last_extended);
        std::memcpy(text + 16 * part, &each, 16);
    }
    std::string name(text, strnlen(text, sizeof text));
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    return name;
}

description describe() {
    const leaf vendor = ask(0, 0);
    const std::uint32_t last = vendor.eax;
    const std::uint32_t last_extended = ask(0x80000000u, 0x80000000u).eax;
    const leaf basic = ask(1, last);
    const leaf more = ask(7, last);
    const leaf newest = more.eax >= 1 ? ask(7, last, 1) : leaf{};
    const leaf saving = ask(0xd, last, 1);
    const leaf extended = ask(0x80000001u, last_extended);
    const leaf cache_lines = ask(0x80000008u, last_extended);
    constexpr std::uint32_t osxsave = 1u << 27;
    return {brand(last_extended),
            "x86-64",
            {vendor.ebx, vendor.ecx, vendor.edx, basic.eax & family_and_model, basic.ecx & leaf_1_ecx,
             basic.edx & leaf_1_edx, more.ebx & leaf_7_ebx, more.ecx & leaf_7_ecx, more.edx & leaf_7_edx, newest.eax,
             newest.edx, saving.eax & leaf_d_1_eax, extended.ecx & extended_ecx, extended.edx & extended_edx,
             cache_lines.ebx & extended_8_ebx, basic.ecx & osxsave ? registers_saved_by_the_system() : 0}};
}

#elif defined(__aarch64__)

// The part numbers of big and little cores differ, so that they would depend on the core that is asked; what a compiler
// makes of them is in its identity (identity.hpp).
description describe() { return {{}, "aarch64", {::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2)}}; }

#else

description describe() { return {{}, "generic", {::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2)}}; }

#endif

}  // namespace

host_cpu read_host_cpu() {
    description found = describe();
    host_cpu cpu;
    cpu.architecture = found.architecture;
    const std::string_view facts(reinterpret_cast<const char*>(found.facts.data()),
                                 found.facts.size() * sizeof(std::uint64_t));
    cpu.target = cpu.architecture + "+" + to_hex(jit_cache::content_hash(facts)).substr(0, 16);
    cpu.model = found.model.empty() ? cpu.architecture + " CPU" : std::move(found.model);
    return cpu;
}

const host_cpu& this_host_cpu() {
    static constinit process::immortal<host_cpu> cpu;
    return cpu([] { return new host_cpu(read_host_cpu()); });
}

}  // namespace kiln::compile
