#include <support/processes.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace tests {

namespace {

bool happens_within(double seconds, const std::function<bool()>& what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!what()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace

int in_child(const std::function<int()>& body) {
    // ThreadSanitizer writes at _exit what streams hold: twice, and perhaps past a limit of the body's.
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool runs(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');
    return name_end != std::string::npos && text.size() > name_end + 2 && text[name_end + 2] != 'Z' &&
           text[name_end + 2] != 'X';
}

bool ends_within(pid_t process, double seconds) {
    return happens_within(seconds, [=] { return !runs(process); });
}

bool appears_within(const std::string& file, double seconds) {
    return happens_within(seconds, [&] { return std::filesystem::exists(file); });
}

bool is_emulated() { return std::getenv("KILN_TEST_EMULATED") != nullptr; }

std::vector<pid_t> pids_in(const std::string& file) {
    std::ifstream in(file);
    std::vector<pid_t> found;
    for (pid_t each = 0; in >> each;) found.push_back(each);
    return found;
}

pid_t pid_in(const std::string& file) {
    const std::vector<pid_t> all = pids_in(file);
    if (all.empty()) throw std::runtime_error(file + " holds no process number");
    return all.front();
}

}  // namespace tests
