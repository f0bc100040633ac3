// kiln/compile/subprocess: posix_spawn, one pipe for all output, waitpid.
#include <compile/subprocess.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern char** environ;

namespace kiln::compile {

namespace {

class descriptor {
public:
    descriptor() = default;
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { close(); }

    void close() {
        if (number >= 0) ::close(number);
        number = -1;
    }

    int number = -1;
};

struct spawn_actions {
    spawn_actions() { posix_spawn_file_actions_init(&actions); }
    spawn_actions(const spawn_actions&) = delete;
    spawn_actions& operator=(const spawn_actions&) = delete;
    ~spawn_actions() { posix_spawn_file_actions_destroy(&actions); }

    posix_spawn_file_actions_t actions;
};

// The caller may block or ignore signals that a compiler needs (SIGCHLD above all: its driver waits for its passes).
struct spawn_attributes {
    spawn_attributes() {
        posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    spawn_attributes(const spawn_attributes&) = delete;
    spawn_attributes& operator=(const spawn_attributes&) = delete;
    ~spawn_attributes() { posix_spawnattr_destroy(&attributes); }

    posix_spawnattr_t attributes;
};

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

std::vector<char*> merged_environment(const std::vector<std::string>& replacements) {
    std::vector<char*> merged;
    for (char** entry = environ; entry && *entry; ++entry) {
        bool replaced = false;
        for (const std::string& each : replacements) replaced = replaced || name_of(each) == name_of(*entry);
        if (!replaced) merged.push_back(*entry);
    }
    for (const std::string& each : replacements) merged.push_back(const_cast<char*>(each.c_str()));
    merged.push_back(nullptr);
    return merged;
}

std::string read_all(int from) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t count = ::read(from, buffer, sizeof(buffer));
        if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR) return text;
    }
}

process_result failed(const char* what, int error) {
    process_result result;
    result.ended = std::string(what) + ": " + std::strerror(error);
    return result;
}

void wait_for(pid_t child, process_result& result) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno == EINTR) continue;
        // A program that ignores SIGCHLD, or waits for any child, leaves no status to be had: the output file decides.
        result.exit_status = 0;
        return;
    }
    if (WIFEXITED(status)) {
        result.exit_status = WEXITSTATUS(status);
        if (result.exit_status != 0) result.ended = "exit status " + std::to_string(result.exit_status);
    } else if (WIFSIGNALED(status)) {
        result.ended = "ended by signal " + std::to_string(WTERMSIG(status));
    }
}

bool is_executable_file(const std::string& path) {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
    if (arguments.empty()) return failed("nothing to start", EINVAL);
    descriptor reading;
    descriptor writing;
    int ends[2];
    // O_CLOEXEC: a child that another thread starts meanwhile would hold the pipe open, and the read never end.
    if (::pipe2(ends, O_CLOEXEC) != 0) return failed("pipe", errno);
    reading.number = ends[0];
    writing.number = ends[1];

    spawn_actions files;
    posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files.actions, writing.number, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files.actions, writing.number, STDERR_FILENO);
    const spawn_attributes signals;

    std::vector<char*> argv;
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    const std::vector<char*> envp = merged_environment(environment);

    pid_t child = -1;
    const int error = ::posix_spawn(&child, argv[0], &files.actions, &signals.attributes, argv.data(), envp.data());
    if (error != 0) return failed(argv[0], error);
    writing.close();

    process_result result;
    result.output = read_all(reading.number);
    wait_for(child, result);
    return result;
}

std::string find_program(const std::string& name) {
    if (name.empty()) return {};
    if (name.find('/') != std::string::npos) return is_executable_file(name) ? name : std::string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (;;) {
        const std::size_t colon = rest.find(':');
        const std::string_view folder = rest.substr(0, colon);
        // An empty entry means the current folder; starting a compiler from there is a surprise that nobody wants.
        if (!folder.empty()) {
            std::string candidate = std::string(folder) + '/' + name;
            if (is_executable_file(candidate)) return candidate;
        }
        if (colon == std::string_view::npos) return {};
        rest.remove_prefix(colon + 1);
    }
}

}  // namespace kiln::compile
