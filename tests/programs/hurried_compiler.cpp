// The C++ compiler KILN_COMPILER, told at the end of its arguments to hurry: what it makes has the same bits and takes half the time.
// For tests that ask what kernels compute, not how fast. Of four kernels, which their texts choose, one has its loops in vectors as users'
// are (g++ 12: 50 ms of a core for 70); the others are optimised as for a debugger, which is all but what a compiler takes for
// reading them (31 ms, for 28 with -O0, whose kernels are several times as slow).
// Vectors of 128 bits instead of 256 take a third less of large kernels again (a statistic's 16 sums: 1.1 s for 3.1).
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace {

/// FNV-1a of the file, or of none.
std::uint64_t hash_of(const char* file) {
    std::uint64_t hash = 0xcbf29ce484222325;
    if (std::FILE* const text = std::fopen(file, "rb")) {
        for (int byte = 0; (byte = std::getc(text)) != EOF;) {
            hash ^= static_cast<std::uint64_t>(byte);
            hash *= 0x100000001b3;
        }
        std::fclose(text);
    }
    return hash;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<char*> words;
    // Contracted products are what optimisation makes.
    bool vectors = false;
    for (int i = 0; i < argc; ++i) {
        const std::string_view word = argv[i];
        // A cross compiler knows no processor of its own.
        if (!KILN_CROSSES || word != "-mcpu=native") words.push_back(argv[i]);
        if (word == "-ffp-contract=fast") vectors = true;
        // Bits of the middle: FNV-1a's last ones are those of the last bytes.
        if (i > 0 && word.ends_with(".cpp") && (hash_of(argv[i]) >> 29) % 4 == 0) vectors = true;
    }
    const auto add = [&words](std::initializer_list<const char*> options) {
        for (const char* const each : options) words.push_back(const_cast<char*>(each));
    };
    if (vectors) {
        // Registers chosen for a function as a whole, and no search for the best variables of loops: 49 of 55 ms a kernel (g++ 12,
        // 24 of the tests').
        add({"-O1", "-ftree-vectorize", "-fstrict-aliasing", "-fira-region=one", "-fno-ivopts"});
    } else {
        add({"-Og"});
    }
#if defined(__x86_64__)
    if (!KILN_CROSSES) add({"-mprefer-vector-width=128"});
#endif
    // Without it no product is contracted with a sum.
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "-ffp-contract=fast") == 0) add({"-fexpensive-optimizations"});
    words[0] = const_cast<char*>(KILN_COMPILER);
    words.push_back(nullptr);
    ::execv(KILN_COMPILER, words.data());
    std::perror(KILN_COMPILER);
    return 127;
}
