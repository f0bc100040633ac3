// kiln-cache/program: glob(), access(), posix_spawn() and two pipes.
#include "program.hpp"

#include <jit_cache/printable.hpp>

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace kiln_cache {

namespace {

using jit_cache::trust::chosen_by;
using jit_cache::trust::environment;

// A disassembly is some hundred times as long as the kernel; whoever prints more than this prints for ever.
constexpr std::size_t most_output_bytes = std::size_t{256} << 20;

std::string text_of(int error) { return std::generic_category().message(error); }

struct pipe_ends {
    std::array<int, 2> ends{-1, -1};
    pipe_ends() {
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    }
    ~pipe_ends() {
        close_end(0);
        close_end(1);
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    void close_end(std::size_t which) {
        if (ends[which] >= 0) ::close(ends[which]);
        ends[which] = -1;
    }
};

::pid_t spawn(const std::vector<std::string>& words, const pipe_ends& output, const pipe_ends& errors, int& error) {
    std::vector<char*> arguments;
    for (const std::string& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output.ends[1], 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors.ends[1], 2);
    ::posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::sigset_t nothing_blocked;
    ::sigemptyset(&nothing_blocked);
    ::posix_spawnattr_setsigmask(&attributes, &nothing_blocked);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    ::pid_t child = -1;
    error = ::posix_spawn(&child, words.front().c_str(), &actions, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? child : -1;
}

/// Both pipes at once: a program that fills one while the other is read would never end. False: it printed too much.
bool read_both(pipe_ends& output, pipe_ends& errors, std::string& printed, std::string& said) {
    std::vector<char> buffer(std::size_t{64} << 10);
    for (;;) {
        std::array<::pollfd, 2> open{{{.fd = output.ends[0], .events = POLLIN, .revents = 0},
                                      {.fd = errors.ends[0], .events = POLLIN, .revents = 0}}};
        if (open[0].fd < 0 && open[1].fd < 0) return true;
        if (::poll(open.data(), open.size(), -1) < 0 && errno != EINTR) return true;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) continue;
            const ::ssize_t count = ::read(open[i].fd, buffer.data(), buffer.size());
            if (count > 0) {
                (i == 0 ? printed : said).append(buffer.data(), static_cast<std::size_t>(count));
                if (printed.size() + said.size() > most_output_bytes) return false;
            } else if (count == 0 || errno != EINTR) {
                (i == 0 ? output : errors).close_end(0);
            }
        }
    }
}

std::string ended_as(int status) {
    if (WIFSIGNALED(status)) return "it was ended by signal " + std::to_string(WTERMSIG(status));
    return "it left with " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

signals_held_back::signals_held_back() {
    ::sigset_t held;
    ::sigemptyset(&held);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, each);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
}

signals_held_back::~signals_held_back() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::vector<std::string> split_folders(std::string_view list) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin) parts.emplace_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> matching_paths(const std::string& pattern) {
    std::vector<std::string> paths;
    ::glob_t matches{};
    if (::glob(pattern.c_str(), 0, nullptr, &matches) == 0)
        for (std::size_t i = 0; i < matches.gl_pathc; ++i) paths.emplace_back(matches.gl_pathv[i]);
    ::globfree(&matches);
    return paths;
}

bool is_regular_file(const std::string& path) {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::vector<place> places_in_path() {
    std::vector<place> places;
    for (std::string& each : split_folders(environment("PATH")))
        if (each.starts_with('/')) places.push_back({std::move(each), chosen_by::search});
    return places;
}

std::vector<place> places_of_cuda(std::string_view below) {
    std::vector<place> places;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const std::string root = environment(name); root.starts_with('/'))
            places.push_back({std::string(root).append(below), chosen_by::name});
    places.push_back({std::string("/usr/local/cuda").append(below), chosen_by::search});
    std::vector<std::string> versions = matching_paths("/usr/local/cuda-*");
    std::sort(versions.begin(), versions.end(), [](const std::string& left, const std::string& right) {
        return ::strverscmp(left.c_str(), right.c_str()) > 0;  // 12.10 before 12.9
    });
    for (std::string& each : versions) places.push_back({each.append(below), chosen_by::search});
    return places;
}

found_program try_program(const std::string& path, chosen_by how) {
    found_program found;
    struct ::stat status {};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return found;
    if (::access(path.c_str(), X_OK) != 0) {
        found.refused = path + ": it is not executable (" + jit_cache::trust::owner_and_mode(status) + ")";
    } else {
        found.refused = jit_cache::trust::distrust_program(path, how);
        if (found.refused.empty()) found.path = path;
    }
    return found;
}

found_program find_program(std::string_view name, const std::vector<place>& places) {
    found_program found;
    for (const place& each : places) {
        const found_program here = try_program(std::string(each.folder).append("/").append(name), each.how);
        if (found.refused.empty()) found.refused = here.refused;
        found.path = here.path;
        if (!found.path.empty()) break;
    }
    return found;
}

program_result run_program(const std::vector<std::string>& words) {
    program_result result;
    if (jit_cache::trust::has_raised_privileges()) {
        result.trouble = "this program runs with raised privileges, and starts no other";
        return result;
    }
    pipe_ends output;
    pipe_ends errors;
    if (output.ends[0] < 0 || errors.ends[0] < 0) {
        result.trouble = text_of(errno);
        return result;
    }
    int error = 0;
    const ::pid_t child = spawn(words, output, errors, error);
    if (child < 0) {
        result.trouble = words.front() + ": " + text_of(error);
        return result;
    }
    output.close_end(1);
    errors.close_end(1);
    std::string said;
    const bool bounded = read_both(output, errors, result.output, said);
    if (!bounded) ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.ended_well = bounded && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (result.ended_well) return result;
    result.trouble = words.front() + ": " + (bounded ? ended_as(status) : "it prints without end");
    if (!said.empty()) result.trouble += ": " + jit_cache::printable(said.substr(0, said.find('\n')));
    return result;
}

}  // namespace kiln_cache
