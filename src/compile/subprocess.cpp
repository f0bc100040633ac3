// kiln/compile/subprocess: posix_spawn, one pipe for all output, and a watch over pipe, clock and process at once.
#include <compile/subprocess.hpp>

#include <compile/descriptor.hpp>
#include <compile/leash.hpp>
#include <compile/system.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>
#include <system_error>

extern char** environ;

namespace kiln::compile {

namespace {

constexpr int more_cpu_seconds = 10;
constexpr int seconds_to_die = 5;  // after SIGKILL; a process that waits for a dead file server takes for ever

class spawn_actions {
public:
    /// Standard input empty, both outputs into `output`, a leash, a folder to work in.
    spawn_actions(int output, const leash& held, const std::string& folder) {
        posix_spawn_file_actions_init(&actions_);
        // The first terminal that the first process of a session opens is its controlling terminal, closed or not.
        if (!held.path().empty())
            posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, held.path().c_str(), O_RDWR, 0);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
        if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }
    spawn_actions(const spawn_actions&) = delete;
    spawn_actions& operator=(const spawn_actions&) = delete;
    ~spawn_actions() { posix_spawn_file_actions_destroy(&actions_); }

    [[nodiscard]] const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

class spawn_attributes {
public:
    spawn_attributes() {
        posix_spawnattr_init(&attributes_);
        // The caller may block or ignore signals that a compiler needs (SIGCHLD above all: it waits for its passes).
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setflags(
            &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID));
    }
    spawn_attributes(const spawn_attributes&) = delete;
    spawn_attributes& operator=(const spawn_attributes&) = delete;
    ~spawn_attributes() { posix_spawnattr_destroy(&attributes_); }

    [[nodiscard]] const posix_spawnattr_t* get() const noexcept { return &attributes_; }

private:
    posix_spawnattr_t attributes_;
};

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

std::vector<char*> environment_of(const process_options& options) {
    std::vector<char*> entries;
    for (char** entry = options.inherits_environment ? environ : nullptr; entry && *entry; ++entry) {
        const bool replaced = std::any_of(options.environment.begin(), options.environment.end(),
                                          [&](const std::string& each) { return name_of(each) == name_of(*entry); });
        if (!replaced) entries.push_back(*entry);
    }
    for (const std::string& each : options.environment) entries.push_back(const_cast<char*>(each.c_str()));
    entries.push_back(nullptr);
    return entries;
}

/// Not above what the process may have anyway.
template <class Resource>
void limit(pid_t process, Resource what, std::uint64_t wanted) {
    ::rlimit now{};
    if (::prlimit(process, what, nullptr, &now) != 0) return;
    const auto most = static_cast<rlim_t>(std::min<std::uint64_t>(wanted, now.rlim_max));
    const ::rlimit wished{most, most};
    ::prlimit(process, what, &wished, nullptr);
}

/// Its children so far; none where /proc does not say (CONFIG_PROC_CHILDREN).
std::vector<pid_t> children_of(pid_t process) {
    const std::string number = std::to_string(process);
    const descriptor list(::open(("/proc/" + number + "/task/" + number + "/children").c_str(), O_RDONLY | O_CLOEXEC));
    char text[4096];
    const ::ssize_t count = list ? ::read(list.get(), text, sizeof text) : 0;
    std::vector<pid_t> children;
    const char* const end = text + std::max<::ssize_t>(count, 0);
    for (const char* at = text; at < end;) {
        pid_t child = 0;
        const auto [next, trouble] = std::from_chars(at, end, child);
        if (trouble != std::errc{}) break;
        children.push_back(child);
        at = next + 1;
    }
    return children;
}

/// What it starts from now on has its limits; what it has started before, by the time that it is looked at, is looked for.
void set_limits(pid_t process, const process_limits& limits) {
    if (limits.file_bytes == 0 && limits.seconds <= 0) return;
    if (limits.file_bytes) limit(process, RLIMIT_FSIZE, limits.file_bytes);
    if (limits.seconds > 0) limit(process, RLIMIT_CPU, static_cast<std::uint64_t>(limits.seconds) + more_cpu_seconds);
    limit(process, RLIMIT_CORE, 0);
    for (const pid_t child : children_of(process)) set_limits(child, limits);
}

/// Readable when the process has ended; none before Linux 5.3, and where a sandbox does not let it through.
descriptor descriptor_of(pid_t process) {
#if defined(SYS_pidfd_open)
    return descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));  // closed on exec() by itself
#else
    (void)process;
    return {};
#endif
}

/// A program that runs, and what it prints.
class watch {
public:
    watch(pid_t process, descriptor output, const process_limits& limits)
        : process_(process), process_end_(descriptor_of(process)), output_(std::move(output)), limits_(limits) {
        ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);
        if (limits_.seconds > 0) clock_ = descriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
    }

    process_result run() {
        process_result result;
        const bool watched = limits_.seconds <= 0 || set_clock(limits_.seconds);
        const bool in_time = watched && wait_for_end();
        // Before its status is taken, while its number can be nobody else's: whatever is left of its group.
        ::kill(-process_, SIGKILL);
        const bool gone = in_time || (set_clock(seconds_to_die) ? wait_for_end() : has_ended());
        read_what_is_there();
        if (gone) take_status(result);
        if (!watched) {
            result.how = process_end::not_started;
            result.error = EMFILE;
            result.ended = "there is no descriptor left to watch it by";
        } else if (!in_time) {
            result.how = process_end::out_of_time;
            result.ended = "it did not end within " + std::to_string(limits_.seconds) + " s";
        }
        if (!result.ended.empty() && result.how != process_end::exited) result.exit_status = -1;
        result.output = std::move(text_);
        if (dropped_ > 0)
            result.output += "\n[" + std::to_string(dropped_) + " bytes more were printed, and dropped]\n";
        return result;
    }

private:
    bool set_clock(int seconds) const {
        ::itimerspec when{};
        when.it_value.tv_sec = seconds;
        return clock_ && ::timerfd_settime(clock_.get(), 0, &when, nullptr) == 0;
    }

    /// Whether it has ended, its status not yet taken.
    [[nodiscard]] bool has_ended() const {
        ::siginfo_t what{};
        const int asked = ::waitid(P_PID, static_cast<id_t>(process_), &what, WEXITED | WNOHANG | WNOWAIT);
        return asked == 0 ? what.si_pid == process_ : errno == ECHILD;
    }

    /// False: the clock came first. Output is taken meanwhile.
    bool wait_for_end() {
        // Without a descriptor of the process, it is asked as often as costs nothing.
        constexpr int milliseconds_between_questions = 5;
        for (;;) {
            pollfd sources[] = {{output_.get(), POLLIN, 0}, {clock_.get(), POLLIN, 0}, {process_end_.get(), POLLIN, 0}};
            const int ready = ::poll(sources, std::size(sources), process_end_ ? -1 : milliseconds_between_questions);
            if (process_end_ && ready > 0 ? sources[2].revents != 0 : has_ended()) return true;
            if (ready <= 0) continue;
            if (sources[1].revents != 0) return false;
            if (sources[0].revents != 0 && read_once() == 0) output_.close();
        }
    }

    /// The bytes read; 0: all ends are closed; -1: nothing now.
    ::ssize_t read_once() {
        char buffer[65536];
        ::ssize_t count = 0;
        while ((count = ::read(output_.get(), buffer, sizeof buffer)) < 0 && errno == EINTR) {
        }
        if (count <= 0) return count;
        const auto read = static_cast<std::size_t>(count);
        const std::size_t kept = std::min(read, limits_.output_bytes - text_.size());
        text_.append(buffer, kept);
        dropped_ += read - kept;
        return count;
    }

    /// What the pipe holds, and no more: who left the group may still write, and for ever.
    void read_what_is_there() {
        constexpr std::size_t largest_pipe = std::size_t{1} << 20;
        std::size_t taken = 0;
        while (output_ && taken < largest_pipe) {
            const ::ssize_t count = read_once();
            if (count <= 0) return;
            taken += static_cast<std::size_t>(count);
        }
    }

    void take_status(process_result& result) const {
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0) {
            if (errno == EINTR) continue;
            result.how = process_end::unknown;
            result.exit_status = 0;
            return;
        }
        if (WIFEXITED(status)) {
            result.how = process_end::exited;
            result.exit_status = WEXITSTATUS(status);
            if (result.exit_status != 0) result.ended = "exit status " + std::to_string(result.exit_status);
        } else if (WIFSIGNALED(status)) {
            result.how = process_end::signalled;
            result.ended = "ended by signal " + std::to_string(WTERMSIG(status));
        }
    }

    pid_t process_;
    descriptor process_end_;
    descriptor output_;
    descriptor clock_;
    process_limits limits_;
    std::string text_;
    std::size_t dropped_ = 0;
};

}  // namespace

process_result run_process(const std::vector<std::string>& arguments, const process_options& options) {
    const auto failed = [](const std::string& what, int error) {
        process_result result;
        result.error = error;
        result.ended = what + ": " + text_of(error);
        return result;
    };
    if (arguments.empty()) return failed("nothing to start", EINVAL);
    int ends[2];
    // O_CLOEXEC: a child that another thread starts meanwhile would hold the pipe open.
    if (::pipe2(ends, O_CLOEXEC) != 0) return failed("pipe", errno);
    descriptor reading(ends[0]);
    descriptor writing(ends[1]);
    const leash held;

    std::vector<char*> argv;
    for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    const std::vector<char*> envp = environment_of(options);
    pid_t process = -1;
    const int error = ::posix_spawn(&process, argv[0], spawn_actions(writing.get(), held, options.folder).get(),
                                    spawn_attributes().get(), argv.data(), envp.data());
    if (error != 0) return failed(arguments[0], error);
    writing.close();
    set_limits(process, options.limits);
    return watch(process, std::move(reading), options.limits).run();
}

}  // namespace kiln::compile
