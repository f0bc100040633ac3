// tests/jit_cache/soak_processes: posix_spawn and waitpid.
#include "soak_processes.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace soak {

namespace {

std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

::pid_t start(const std::vector<std::string>& command, const std::filesystem::path& output) {
    ::posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    const std::string out = output.string() + ".out";
    const std::string errors = output.string() + ".err";
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, 1, out.c_str(), flags, 0600);
    ::posix_spawn_file_actions_addopen(&files, 2, errors.c_str(), flags, 0600);
    std::vector<char*> arguments;
    for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::pid_t child = -1;
    const int error = ::posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::runtime_error("cannot start " + command[0]);
    return child;
}

int wait_for(::pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

bool has_ended(::pid_t child, int& status) { return ::waitpid(child, &status, WNOHANG) == child; }

std::string how_it_failed(int status) {
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

said take_output(const std::filesystem::path& output) {
    const std::string out = output.string() + ".out";
    const std::string errors = output.string() + ".err";
    said result{.output = contents(out), .errors = contents(errors)};
    for (const std::string& each : {out, errors}) std::filesystem::remove(each);
    return result;
}

std::filesystem::path own_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace soak
