// soak_compiler TEMPLATES COMPILER ARGUMENT...: stands in for the host compiler where thousands of kernels are wanted and 50 ms each would be too long.
// Kernels of the soak that differ in one number alone have it in memory, behind a mark. The first of a kind is compiled by
// the real COMPILER, and kept in the folder TEMPLATES; of the others the first one's shared object is copied, with their own
// number in it: another file with another answer, in about a millisecond. Whatever else kiln asks a compiler, the real one
// answers.
// in: a compiler's command line   out: what that compiler would write
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;

// As soak_kernels.cpp writes it: two floats, side by side in memory.
constexpr std::string_view mark_in_source = "{8.25e20f, ";
constexpr float mark = 8.25e20f;

struct request {
    std::string source;        // path
    std::string object;        // path
    std::string dependencies;  // path; empty: not asked for
};

request parse(int count, char** arguments) {
    request wanted;
    for (int i = 0; i < count; ++i) {
        const std::string_view each = arguments[i];
        const bool has_value = i + 1 < count;
        if (each == "-o" && has_value) wanted.object = arguments[++i];
        else if (each == "-MF" && has_value) wanted.dependencies = arguments[++i];
        else if (each.ends_with(".cpp")) wanted.source = each;
    }
    return wanted;
}

std::optional<std::string> read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(in), {}};
}

bool write(const fs::path& file, std::string_view bytes) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return static_cast<bool>(out.flush());
}

/// `command`: its name, and what it is asked.
int run_real_compiler(char** command) {
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::execvp(command[0], command);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// Whether the object's number was found, and is now this one.
bool put_number(std::string& object, float number) {
    const std::string_view bytes_of_mark(reinterpret_cast<const char*>(&mark), sizeof(mark));
    const std::size_t at = object.find(bytes_of_mark);
    if (at == std::string::npos || object.size() - at < 2 * sizeof(float)) return false;
    if (object.find(bytes_of_mark, at + 1) != std::string::npos) return false;
    std::memcpy(object.data() + at + sizeof(float), &number, sizeof(number));
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s TEMPLATES COMPILER ARGUMENT...\n", arguments[0]);
        return 2;
    }
    const fs::path templates = arguments[1];
    char** const command = arguments + 2;
    const request wanted = parse(count - 2, command);
    std::optional<std::string> source;
    if (!wanted.source.empty() && !wanted.object.empty()) source = read(wanted.source);
    const std::size_t at = source ? source->find(mark_in_source) : std::string::npos;
    if (at == std::string::npos) return run_real_compiler(command);

    const std::size_t digits = at + mark_in_source.size();
    const std::size_t length = source->find('f', digits) - digits;
    const float number = std::strtof(source->substr(digits, length).c_str(), nullptr);
    const std::string kind = std::string(*source).erase(digits, length);
    const fs::path made = templates / std::to_string(std::hash<std::string>()(kind));

    std::optional<std::string> object = read(made);
    if (!object) {
        if (const int failed = run_real_compiler(command); failed != 0) return failed;
        object = read(wanted.object);
        const fs::path mine = made.string() + "." + std::to_string(::getpid());
        // Renamed into place: another process that wants the same kind sees all of it or nothing.
        if (object && write(mine, *object)) fs::rename(mine, made);
        return 0;
    }
    if (!put_number(*object, number)) {
        std::fprintf(stderr, "soak_compiler: %s holds no number, or two\n", made.c_str());
        return 1;
    }
    if (!wanted.dependencies.empty() && !write(wanted.dependencies, "kernel: " + wanted.source + "\n")) return 1;
    return write(wanted.object, *object) ? 0 : 1;
}
