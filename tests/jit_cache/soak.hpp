// tests/jit_cache/soak: what the programs of the soak agree on: how a worker is started, which kernels it asks for, and what
// it shows of itself.
// in: a command line   out: a plan of work; what a process holds open   knows nothing of: stores, kernels
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

namespace soak {

/// A worker asks for as many kernels as it has in it, and ends. Kernels have numbers; those of its own part (its life's number
/// times 25, and on) it takes in order, so that all of them get their turn, the rest by lot: half from the 5 in 100 that
/// everybody wants.
struct work {
    std::filesystem::path folder;
    std::uint64_t max_bytes = 0;
    int kernels = 0;
    int life = 0;  // how many workers were started before
    int real = 0;  // of the kernels, the first so many go to the real compiler
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

inline int own_kernel(int life, int place, int kernels) { return (life * own_part + place) % kernels; }

/// The kernels that one life asks for.
class questions {
public:
    explicit questions(const work& of) : of_(of), random_(static_cast<unsigned>(of.life) + 1) {}

    int next() {
        const int asked = asked_++;
        if (asked < own_part) return own_kernel(of_.life, asked, of_.kernels);
        const bool popular = random_() % 2 == 0;
        return static_cast<int>(random_() % static_cast<unsigned>(popular ? of_.kernels / 20 + 1 : of_.kernels));
    }

private:
    const work of_;
    std::minstd_rand random_;
    int asked_ = 0;
};

/// What leaks if a process takes more than it gives back. A kernel is used from memory as long as its process lives, so those
/// that are mapped are counted by themselves.
struct holdings {
    std::ptrdiff_t descriptors = 0;
    std::ptrdiff_t kernels = 0;         // shared objects in memory without a name
    std::ptrdiff_t other_mappings = 0;  // lines of /proc/self/maps that are not theirs
};

inline holdings held() {
    holdings result;
    std::set<std::string> kernels;
    {
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            const std::size_t name = line.find("/memfd:kiln kernel");
            if (name == std::string::npos) {
                ++result.other_mappings;
                continue;
            }
            // "55d0-55d1 r-xp 00001000 00:01 4711   /memfd:kiln kernel (deleted)": the inode stands before the name.
            const std::size_t end = line.find_last_not_of(' ', name - 1);
            kernels.insert(line.substr(line.rfind(' ', end), end));
        }
    }
    result.kernels = static_cast<std::ptrdiff_t>(kernels.size());
    namespace fs = std::filesystem;
    result.descriptors = std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
    return result;
}

/// What a worker says of itself, as one line.
struct told {
    int asked = 0;
    int made = 0;
    int from_disk = 0;
    holdings more;  // than at its beginning

    void print() const {
        std::printf("asked %d made %d disk %d descriptors %td kernels %td mappings %td\n", asked, made, from_disk,
                    more.descriptors, more.kernels, more.other_mappings);
    }
    [[nodiscard]] bool read(const std::string& line) {
        return std::sscanf(line.c_str(), "asked %d made %d disk %d descriptors %td kernels %td mappings %td", &asked,
                           &made, &from_disk, &more.descriptors, &more.kernels, &more.other_mappings) == 6;
    }
};

inline holdings operator-(const holdings& after, const holdings& before) {
    return {.descriptors = after.descriptors - before.descriptors,
            .kernels = after.kernels - before.kernels,
            .other_mappings = after.other_mappings - before.other_mappings};
}

}  // namespace soak
