#include <support/golden.hpp>

#include <support/build_paths.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tests {

std::string golden_folder() { return source_folder() + "/tests/golden"; }

bool updates_goldens() {
    const char* const update = std::getenv("KILN_UPDATE_GOLDEN");
    return update && *update == '1';
}

std::string text_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void check_golden(const std::string& name, const std::string& made) {
    const std::string path = golden_folder() + "/" + name;
    if (updates_goldens()) std::ofstream(path, std::ios::binary) << made;
    CHECK_MESSAGE(text_of_file(path) == made, name, " differs; KILN_UPDATE_GOLDEN=1 writes it anew. It is now:\n",
                  made);
}

}  // namespace tests
