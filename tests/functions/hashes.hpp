// tests/functions/hashes: what a processor and a GPU hash alike, or their hashes say nothing: an argument with its result, and the pairs that
// functions of two arguments are tried with.
#pragma once

#if defined(__CUDACC__)
#define KILN_ANYWHERE __host__ __device__ inline
#else
#define KILN_ANYWHERE inline
#endif

KILN_ANYWHERE unsigned long long mixed(unsigned argument, unsigned result) {
    unsigned long long h = (static_cast<unsigned long long>(argument) << 32 | result) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return h ^ h >> 32;
}

/// Of floats' bits.
struct pair_of_bits {
    unsigned first, second;
};

constexpr unsigned long long numbered_pairs = 1ull << 30;

/// The i-th: of any bits, or from 2^-8 to 2^8 and any sign.
KILN_ANYWHERE pair_of_bits numbered_pair(unsigned long long i) {
    unsigned long long r = (i + 1) * 0x9e3779b97f4a7c15u;
    r = (r ^ r >> 30) * 0xbf58476d1ce4e5b9u;
    r = (r ^ r >> 27) * 0x94d049bb133111ebu;
    r ^= r >> 31;
    pair_of_bits out = {static_cast<unsigned>(r), static_cast<unsigned>(r >> 32)};
    if (i % 2 == 1) {
        out.first = (out.first & 0x87ffffffu) + 0x3b800000u;
        out.second = (out.second & 0x87ffffffu) + 0x3b800000u;
    }
    return out;
}
