#include <support/golden.hpp>

#include <support/build_paths.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tests {

namespace {

std::string path_of(const std::string& name) { return source_folder() + "/tests/golden/" + name; }

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

}  // namespace

void check_golden(const std::string& name, const std::vector<kiln::emit::source>& made) {
    std::string text;
    for (const kiln::emit::source& each : made) text += (text.empty() ? "" : "\n") + each.text;
    const char* const update = std::getenv("KILN_UPDATE_GOLDEN");
    if (update && *update == '1') std::ofstream(path_of(name), std::ios::binary) << text;
    CHECK_MESSAGE(read(path_of(name)) == text, name, " differs; KILN_UPDATE_GOLDEN=1 writes it anew. It is now:\n",
                  text);
}

}  // namespace tests
