// npy_round_trip FROM TO: the array of a .npy file, through a kernel, into another.
// npy_round_trip --print FILE...: arrays as kiln prints them, a line of "--" behind each.
// 0: done; 1: kiln::error, whose message is on standard error.
#include <kiln/kiln.hpp>

#include <cstdio>
#include <cstring>

namespace k = kiln;

namespace {

template <class T>
void copy(const char* from, const char* to) {
    const k::array<T> x = k::load_npy<T>(from);
    k::save_npy(to, k::where(x == x, x, x));
}

template <class T>
void print(const char* from) {
    std::printf("%s\n--\n", k::to_string(k::load_npy<T>(from)).c_str());
}

void print_file(const char* path) {
    switch (k::describe_npy(path).type) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case k::element_type::name: print<type>(path); break;
#include <kiln/element_type.def>
    }
}

}  // namespace

int main(int, char** argv) {
    try {
        if (std::strcmp(argv[1], "--print") == 0) {
            for (char** path = argv + 2; *path; ++path) print_file(*path);
            return 0;
        }
        switch (k::describe_npy(argv[1]).type) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case k::element_type::name: copy<type>(argv[1], argv[2]); break;
#include <kiln/element_type.def>
        }
    } catch (const k::error& trouble) {
        std::fprintf(stderr, "%s\n", trouble.what());
        return 1;
    }
    return 0;
}
