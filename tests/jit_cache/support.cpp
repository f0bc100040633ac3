// tests/jit_cache/support: the helpers behind the sentences.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"
#include "temporary_name.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace support {

namespace {

std::string wait_for(::pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? "the child hangs"
                                           : "the child died of signal " + std::to_string(WTERMSIG(status));
    }
    return WEXITSTATUS(status) == 0 ? "" : "the child left with " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

temporary_folder::temporary_folder()
    : temporary_folder(::access("/dev/shm", W_OK | X_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path()) {}

temporary_folder::temporary_folder(const fs::path& parent) {
    std::string name = (parent / "jit_cache_test_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed for " + name);
    path_ = name;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::function<void(std::string_view)> warnings::sink() {
    return [this](std::string_view message) {
        const std::lock_guard lock(mutex_);
        messages_.emplace_back(message);
    };
}

std::vector<std::string> warnings::all() const {
    const std::lock_guard lock(mutex_);
    return messages_;
}

bool warnings::name(std::string_view part) const {
    for (const std::string& message : all()) {
        if (message.find(part) != std::string::npos) return true;
    }
    return false;
}

jit_cache::key key_of(int number) {
    jit_cache::key key;
    key.add("expression", "number " + std::to_string(number));
    key.add("source", "kernel number " + std::to_string(number));
    key.add("target", "sm_90")
        .add("compiler", "nvrtc 13.0")
        .add("options", "--fmad=false")
        .add("generator", "kiln 0.1");
    return key;
}

jit_cache::artifact artifact_of(int number) {
    std::string payload;
    for (int i = 0; i < 300; ++i) payload.push_back(static_cast<char>((i * 7 + number * 31) & 0xff));
    payload += "binary " + std::to_string(number);
    return {.payload = std::move(payload),
            .facts = {{.name = "label", .value = "five x"},
                      {.name = "compile_ms", .value = "31.5"},
                      {.name = "number", .value = std::to_string(number)}},
            .extras = {{.name = "ptx", .value = "ptx of number " + std::to_string(number)}}};
}

jit_cache::settings settings_for(const fs::path& directory, warnings& said) {
    jit_cache::settings settings;
    settings.directory = directory;
    settings.warn = said.sink();
    return settings;
}

outcome ask(jit_cache::store& asked, int number) {
    outcome result;
    const jit_cache::key key = key_of(number);
    const jit_cache::found found = asked.find_or_make(
        key,
        [&](const jit_cache::miss&) {
            ++result.makes;
            return artifact_of(number);
        },
        nullptr);
    result.from = found.from;
    result.right = found.value != nullptr && found.value->payload == artifact_of(number).payload;
    if (found.from == jit_cache::origin::made) asked.publish(key, found.value);
    asked.flush();
    return result;
}

outcome ask_anew(const fs::path& directory, warnings& said, int number) {
    jit_cache::store fresh(settings_for(directory, said));
    return ask(fresh, number);
}

fs::path file_of(const fs::path& directory, int number) {
    const std::string name = jit_cache::to_hex(key_of(number).name());
    return root_of(directory) / name.substr(0, 2) / name;
}

void fill(const fs::path& directory, int count) {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    for (int number = 0; number < count; ++number) ask(store, number);
    if (said.count() > 0) throw std::runtime_error("fill: " + said.all().front());
}

jit_cache::hash128 name_of(int number) { return key_of(number).name(); }

fs::path root_of(const fs::path& directory) { return directory / jit_cache::format_folder; }

std::uint64_t clear(const fs::path& directory) { return jit_cache::sweep(directory, 0, 0).entries_removed; }

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream
        out;  // not by istreambuf_iterator, character by character: unoptimised that was half of jit_cache_tool's time
    out << in.rdbuf();
    return out.str();
}

void overwrite(const fs::path& file, std::string_view bytes) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

std::size_t temporaries_in(const fs::path& directory) {
    std::size_t count = 0;
    for (const auto& one : fs::recursive_directory_iterator(directory)) {
        if (one.path().filename().string().starts_with(".tmp-")) ++count;
    }
    return count;
}

void set_last_use(const fs::path& file, std::int64_t unix_s) {
    const ::timespec times[2] = {{.tv_sec = unix_s, .tv_nsec = 0}, {.tv_sec = unix_s, .tv_nsec = 0}};
    if (::utimensat(AT_FDCWD, file.c_str(), times, 0) != 0) throw std::runtime_error("cannot date " + file.string());
}

std::int64_t now_s() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

int dead_process() {
    const ::pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return child;
}

std::string temporary_of(int process, int serial, bool here) {
    std::string name = jit_cache::temporary_name();
    if (!here) name.replace(5, 8, "ffffffff");
    return name.substr(0, 14) + std::to_string(process) + "-1-" + std::to_string(serial);
}

std::string newer_entry() {
    std::string bytes = jit_cache::pack_entry(key_of(1), artifact_of(1)).substr(0, 8);
    jit_cache::put_u32(bytes, jit_cache::format_version + 1);
    jit_cache::put_u32(bytes, 0);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(bytes);
    jit_cache::put_u64(bytes, hash.low);
    jit_cache::put_u64(bytes, hash.high);
    return bytes + "the rest is unknown";
}

bool is_root() { return ::geteuid() == 0; }

std::string in_child(const std::function<std::string()>& body) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return "no pipe";
    // What is still buffered would else be printed twice: sanitizers flush it when the child leaves.
    std::fflush(nullptr);
    const ::pid_t child = ::fork();
    if (child < 0) return "no fork";
    if (child == 0) {
        ::alarm(20);
        std::string answer;
        try {
            answer = body();
        } catch (const std::exception& error) {
            answer = std::string("exception: ") + error.what();
        }
        const bool told = answer.empty() || ::write(pipe[1], answer.data(), answer.size()) > 0;
        ::_exit(told ? 0 : 1);
    }
    ::close(pipe[1]);
    std::string answer;
    std::array<char, 512> buffer{};
    for (;;) {
        const ::ssize_t count = ::read(pipe[0], buffer.data(), buffer.size());
        if (count > 0) answer.append(buffer.data(), static_cast<std::size_t>(count));
        if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    ::close(pipe[0]);
    return answer + wait_for(child);
}

std::string in_child_as(unsigned uid, const std::function<std::string()>& body) {
    return in_child([&]() -> std::string {
        if (::setgroups(0, nullptr) != 0 || ::setgid(uid) != 0 || ::setuid(uid) != 0) return "cannot change the user";
        return body();
    });
}

finished run(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    std::array<int, 2> output{};
    std::array<int, 2> errors{};
    if (::pipe2(output.data(), O_CLOEXEC) != 0 || ::pipe2(errors.data(), O_CLOEXEC) != 0) return {};
    std::vector<char*> arguments;
    for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
    arguments.push_back(nullptr);
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        ::dup2(output[1], 1);
        ::dup2(errors[1], 2);
        for (const std::string& one : environment) ::putenv(const_cast<char*>(one.c_str()));
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(output[1]);
    ::close(errors[1]);
    finished result;
    std::array<::pollfd, 2> open{
        {{.fd = output[0], .events = POLLIN, .revents = 0}, {.fd = errors[0], .events = POLLIN, .revents = 0}}};
    std::array<char, 4096> buffer{};
    // Both at once: a program that fills one pipe while the other is read would never end.
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        if (::poll(open.data(), open.size(), -1) < 0 && errno != EINTR) break;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) continue;
            const ::ssize_t count = ::read(open[i].fd, buffer.data(), buffer.size());
            if (count > 0) {
                (i == 0 ? result.output : result.errors).append(buffer.data(), static_cast<std::size_t>(count));
            } else if (count == 0 || errno != EINTR) {
                ::close(open[i].fd);
                open[i].fd = -1;
            }
        }
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return result;
}

}  // namespace support
