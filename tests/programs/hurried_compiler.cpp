// The C++ compiler KILN_COMPILER, told at the end of its arguments to hurry: what it makes has the same bits, its loops are in vectors
// as users' are, and it takes half the time (g++ 12: 54 of 95 ms a kernel). For tests that ask what kernels compute, not how fast.
// Vectors of 128 bits instead of 256 take a third less of large kernels again (a statistic's 16 sums: 1.1 s for 3.1).
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
    std::vector<char*> words;
    // A cross compiler knows no processor of its own.
    for (int i = 0; i < argc; ++i)
        if (!KILN_CROSSES || std::strcmp(argv[i], "-mcpu=native") != 0) words.push_back(argv[i]);
    const auto add = [&words](const char* option) { words.push_back(const_cast<char*>(option)); };
    // Registers chosen for a function as a whole, and no search for the best variables of loops: 49 of 55 ms a kernel (g++ 12,
    // 24 of the tests').
    for (const char* const option : {"-O1", "-ftree-vectorize", "-fstrict-aliasing", "-fira-region=one", "-fno-ivopts"})
        add(option);
#if defined(__x86_64__)
    if (!KILN_CROSSES) add("-mprefer-vector-width=128");
#endif
    // Without it no product is contracted with a sum.
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "-ffp-contract=fast") == 0) add("-fexpensive-optimizations");
    words[0] = const_cast<char*>(KILN_COMPILER);
    words.push_back(nullptr);
    ::execv(KILN_COMPILER, words.data());
    std::perror(KILN_COMPILER);
    return 127;
}
