// tests/jit_cache/soak: what the programs of the soak agree on: how a worker is started, and what it must show of itself.
// in: a command line   out: a plan of work; what a process holds open   knows nothing of: stores, kernels
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace soak {

/// WORKER FOLDER MAX_BYTES KERNELS LIFE SHARE_REAL: a worker asks for as many kernels as it has in it, and ends. Kernels have
/// numbers; those of its own part (its life's number times 25, and on) it takes in order, so that all of them get their turn,
/// the rest by lot: half from the 5 in 100 that everybody wants.
struct work {
    std::filesystem::path folder;
    std::uint64_t max_bytes = 0;
    int kernels = 0;
    int life = 0;  // how many workers were started before
    int real = 0;  // of the kernels, the first so many take a real compiler's time
};

inline constexpr int questions_per_life = 100;
inline constexpr int own_part = 25;

inline work parse(int count, char** arguments) {
    if (count != 6) {
        std::fprintf(stderr, "usage: %s FOLDER MAX_BYTES KERNELS LIFE REAL\n", arguments[0]);
        std::exit(2);
    }
    return {.folder = arguments[1],
            .max_bytes = std::strtoull(arguments[2], nullptr, 10),
            .kernels = std::atoi(arguments[3]),
            .life = std::atoi(arguments[4]),
            .real = std::atoi(arguments[5])};
}

/// The kernels that one life asks for.
class questions {
public:
    explicit questions(const work& of) : of_(of), random_(static_cast<unsigned>(of.life)) {}

    int next() {
        const int asked = asked_++;
        if (asked < own_part) return (of_.life * own_part + asked) % of_.kernels;
        const bool popular = random_() % 2 == 0;
        return static_cast<int>(random_() % static_cast<unsigned>(popular ? of_.kernels / 20 + 1 : of_.kernels));
    }

private:
    const work of_;
    std::minstd_rand random_;
    int asked_ = 0;
};

/// What leaks if a process takes more than it gives back.
struct holdings {
    std::ptrdiff_t descriptors = 0;
    std::ptrdiff_t mappings = 0;
};

inline holdings held() {
    namespace fs = std::filesystem;
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    maps.close();
    const std::ptrdiff_t open = std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    return {.descriptors = open, .mappings = std::count(text.begin(), text.end(), '\n')};
}

/// The line by which a worker says what it did.
inline void tell(int asked, int made, int from_disk, const holdings& more) {
    std::printf("asked %d made %d disk %d descriptors %td mappings %td\n", asked, made, from_disk, more.descriptors,
                more.mappings);
}

}  // namespace soak
