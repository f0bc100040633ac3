// kiln/compile/host_compiler: which compiler, with which options, in a private folder; and what its log says first.
#include <compile/host_compiler.hpp>

#include <compile/host_cpu.hpp>
#include <compile/subprocess.hpp>
#include <kiln/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

namespace kiln::compile {

namespace {

// Nothing here may change a bit (those of `arithmetic` apart): -fno-fast-math comes first because some compilers have it on by default, and the two
// -fno- options after it drop only errno and the floating-point exception flags, without which loops do not vectorise.
// -nostdlib saves the linker 8 of 45 ms: a kernel needs libm at most.
constexpr const char* fixed_options[] = {
    "-x",
    "c++",
    "-std=c++17",
    "-O3",
#if defined(__x86_64__)
    "-march=native",
    // Of 512 bits, every load that does not begin on a cache line reads two: a stencil of rows of 1000 took 17 % longer.
    "-mprefer-vector-width=256",
#else
    "-mcpu=native",
#endif
    "-fno-fast-math",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-shared",
    "-fPIC",
    "-fvisibility=default",
    "-Werror=return-type",  // a way out of a user's function without a value
    "-pipe",
    "-nostdlib",
    // A kernel includes nothing; without these, g++ includes a <stdc-predef.h> unasked, from wherever CPATH says.
    "-nostdinc",
    "-nostdinc++",
};
// And what each arithmetic is. The fast one is -ffast-math less what it does to NaN, infinity and denormals:
// -ffinite-math-only would drop the tests of where(), min() and isnan(), and linking with -ffast-math itself would make
// denormals 0 for the whole process.
constexpr const char* exact_options[] = {"-ffp-contract=off"};
constexpr const char* contracted_options[] = {"-ffp-contract=fast"};
constexpr const char* fast_options[] = {"-ffp-contract=fast", "-fno-signed-zeros", "-freciprocal-math",
                                        "-fassociative-math"};

std::vector<const char*> options_of(arithmetic how) {
    std::vector<const char*> all(std::begin(fixed_options), std::end(fixed_options));
    const auto add = [&all](const auto& more) { all.insert(all.end(), std::begin(more), std::end(more)); };
    switch (how) {
        case arithmetic::exact: add(exact_options); break;
        case arithmetic::contracted: add(contracted_options); break;
        case arithmetic::fast: add(fast_options); break;
    }
    return all;
}

// After the source, where the linker wants its libraries.
constexpr const char* link_options[] = {"-lm"};

constexpr const char* source_name = "kernel.cpp";

std::vector<std::string> words_of(const char* text) {
    std::vector<std::string> words;
    std::string_view rest = text ? text : "";
    for (;;) {
        const std::size_t begin = rest.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return words;
        rest.remove_prefix(begin);
        words.emplace_back(rest.substr(0, rest.find_first_of(" \t")));
        rest.remove_prefix(words.back().size());
    }
}

std::string fingerprint_of(const std::string& program) {
    char resolved[PATH_MAX];
    const std::string path = ::realpath(program.c_str(), resolved) ? resolved : program;
    struct ::stat status {};
    if (::stat(path.c_str(), &status) != 0) return path;
    return path + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
           std::to_string(status.st_mtim.tv_nsec);
}

/// A folder that only this user can look into, gone with all that is in it at the end of the scope.
class private_folder {
public:
    private_folder() {
        const char* parent = std::getenv("TMPDIR");
        path_ = std::string(parent && *parent == '/' ? parent : "/tmp") + "/kiln-XXXXXX";
        if (!::mkdtemp(path_.data())) {
            const int error = errno;
            throw compile_error("compile: no folder for the kernel's source: " + path_ + ": " + std::strerror(error) +
                                    "; set TMPDIR to a folder that can be written to, or KILN_CPU=interpret",
                                {}, {});
        }
    }
    private_folder(const private_folder&) = delete;
    private_folder& operator=(const private_folder&) = delete;
    ~private_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

bool write_file(const std::string& path, const std::string& bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::write(file, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    const int written_error = errno;
    const bool closed = ::close(file) == 0;
    if (done < bytes.size()) errno = written_error;
    return done == bytes.size() && closed;
}

std::optional<std::string> read_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    struct ::stat status {};
    std::string bytes(::fstat(file, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0, '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = ::read(file, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    ::close(file);
    if (done < bytes.size() || bytes.empty()) return std::nullopt;
    return bytes;
}

/// The folder's random name says nothing to anybody, and would make every log a new text.
std::string without_folder(std::string log, const std::string& folder) {
    const std::string prefix = folder + "/";
    for (std::size_t at = log.find(prefix); at != std::string::npos; at = log.find(prefix, at))
        log.erase(at, prefix.size());
    return log;
}

/// "line 7: 'foo' was not declared in this scope", from "kernel.cpp:7:5: error: 'foo' ..."; "function f, line 1: 'foo'
/// was not declared in this scope: `return foo(a);`" from "f:1:8: error: 'foo' ..."; else the log's first line.
std::string first_error(std::string_view log, const std::string& source) {
    std::string_view first_line = log.substr(0, log.find('\n'));
    for (std::string_view rest = log; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
        constexpr std::string_view mark = "error: ";
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        const std::string text(line.substr(at + mark.size()));
        const std::string_view place = line.substr(0, at);
        if (const std::size_t colon = place.find(':'); colon != std::string_view::npos) {
            const int line_number = std::atoi(std::string(place.substr(colon + 1)).c_str());
            const function_place found = place_in_function(source, place.substr(0, colon), line_number);
            if (!found.words.empty()) return found.words + text + ": `" + found.line_text + "`";
        }
        const std::size_t name = place.find(source_name);
        if (name == std::string_view::npos) return text;
        const std::string_view after = place.substr(name + std::strlen(source_name));
        if (after.empty() || after.front() != ':') return text;
        return "line " + std::string(after.substr(1, after.find(':', 1) - 1)) + ": " + text;
    }
    return std::string(first_line);
}

}  // namespace

std::unique_ptr<host_toolchain> host_toolchain::find() {
    std::vector<std::vector<std::string>> candidates;
    if (std::vector<std::string> own = words_of(std::getenv("KILN_CXX")); !own.empty()) {
        candidates.push_back(std::move(own));
    } else {
        if (std::vector<std::string> usual = words_of(std::getenv("CXX")); !usual.empty())
            candidates.push_back(std::move(usual));
        for (const char* name : {"c++", "g++", "clang++"}) candidates.push_back({name});
    }
    for (std::vector<std::string>& words : candidates) {
        std::string program = find_program(words.front());
        if (program.empty()) continue;
        words.erase(words.begin());
        return std::unique_ptr<host_toolchain>(new host_toolchain(std::move(program), std::move(words)));
    }
    return nullptr;
}

std::string host_toolchain::what_was_looked_for() {
    const char* path = std::getenv("PATH");
    const std::string in_path = std::string(" in PATH=") + (path ? path : "(not set)");
    if (const char* own = std::getenv("KILN_CXX"); own && *own) return "KILN_CXX=" + std::string(own) + in_path;
    const char* usual = std::getenv("CXX");
    return (usual && *usual ? "CXX=" + std::string(usual) + ", " : std::string()) + "c++, g++, clang++" + in_path;
}

host_toolchain::host_toolchain(std::string program, std::vector<std::string> leading_arguments)
    : program_(std::move(program)),
      leading_arguments_(std::move(leading_arguments)),
      fingerprint_(fingerprint_of(program_)) {
    for (const std::string& each : leading_arguments_) {
        // "ccache g++": the second word is a compiler too, and the one that matters.
        if (const std::string other = find_program(each); !other.empty()) fingerprint_ += "; " + fingerprint_of(other);
    }
    for (const arithmetic how : {arithmetic::exact, arithmetic::contracted, arithmetic::fast}) {
        std::string& line = options_[static_cast<int>(how)];
        for (const std::string& each : leading_arguments_) line += each + ' ';
        for (const char* each : options_of(how)) line += std::string(each) + ' ';
        for (const char* each : link_options) line += std::string(each) + ' ';
        line.pop_back();
    }
}

const std::string& host_toolchain::target() const { return this_host_cpu().target; }

binary host_toolchain::compile(const emit::source& kernel, arithmetic how) {
    const auto fail = [&](const std::string& why, std::string log) {
        throw compile_error("compile: " + program_ + " rejected " + kernel.name + ": " + why +
                                "; the numbered source and the whole log are in this compile_error",
                            number_lines(kernel.text), std::move(log));
    };
    const private_folder folder;
    const std::string source_path = folder.path() + "/" + source_name;
    const std::string object_path = folder.path() + "/kernel.so";
    if (!write_file(source_path, kernel.text)) fail(source_path + ": " + std::strerror(errno), {});

    std::vector<std::string> arguments{program_};
    arguments.insert(arguments.end(), leading_arguments_.begin(), leading_arguments_.end());
    for (const char* each : options_of(how)) arguments.emplace_back(each);
    arguments.insert(arguments.end(), {"-o", object_path, source_path});
    arguments.insert(arguments.end(), std::begin(link_options), std::end(link_options));
    // The compiler's own temporaries go into the folder too, and its words stay English: first_error reads them.
    process_result ran = run_process(arguments, {"TMPDIR=" + folder.path(), "LC_ALL=C"});

    std::string log = without_folder(std::move(ran.output), folder.path());
    if (ran.exit_status != 0) {
        const std::string line = first_error(log, kernel.text);
        fail(line.empty() ? ran.ended : line, log.empty() ? ran.ended : log);
    }
    std::optional<std::string> bytes = read_file(object_path);
    if (!bytes) fail(log.empty() ? "it wrote no shared object" : first_error(log, kernel.text), log);
    return {std::move(*bytes), {}};
}

}  // namespace kiln::compile
