#include <support/child.hpp>
#include <support/cubin_device.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace tests {

namespace {

std::vector<std::string> changed_environment(const std::vector<variable>& changes) {
    std::map<std::string, std::string> all;
    for (char** each = environ; *each; ++each) {
        const std::string entry = *each;
        all[entry.substr(0, entry.find('='))] = entry;
    }
    for (const char* const own : {"KILN_DEVICE", "KILN_CPU", "KILN_TEST_CUBINS", "KILN_CACHE_DIR"}) all.erase(own);
    for (const variable& each : changes) {
        all.erase(each.name);
        if (each.value) all[each.name] = each.name + "=" + each.value;
    }
    std::vector<std::string> out;
    for (auto& [name, entry] : all) out.push_back(std::move(entry));
    return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

std::string read_all(int descriptor) {
    std::string out;
    char part[4096];
    for (ssize_t count = 0; (count = read(descriptor, part, sizeof part)) > 0;)
        out.append(part, static_cast<std::size_t>(count));
    return out;
}

/// "[doctest] test cases:  1 | ...", however wide the columns are.
bool ran_one_case(const std::string& output) {
    const std::string words = "test cases:";
    const std::size_t at = output.find(words);
    if (at == std::string::npos) return false;
    const std::size_t digit = output.find_first_not_of(' ', at + words.size());
    return output.compare(digit, 3, "1 |") == 0;
}

}  // namespace

child_result run_program(const std::string& program, const std::vector<std::string>& arguments,
                         const std::vector<variable>& environment) {
    std::vector<std::string> argument_texts = arguments;
    argument_texts.insert(argument_texts.begin(), program);
    std::vector<std::string> environment_texts = changed_environment(environment);
    const std::vector<char*> argument_pointers = pointers_to(argument_texts);
    const std::vector<char*> variables = pointers_to(environment_texts);

    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        execve(program.c_str(), argument_pointers.data(), variables.data());
        _exit(127);
    }
    close(ends[1]);
    child_result out;
    out.output = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) out.exit_status = WEXITSTATUS(status);
    return out;
}

std::vector<variable> with_this_device(std::vector<variable> environment) {
    for (const char* const name : {"KILN_DEVICE", "KILN_CPU"}) environment.push_back({name, std::getenv(name)});
    environment.push_back({"KILN_TEST_CUBINS", cubins_wanted() ? "1" : nullptr});
    return environment;
}

child_result run_child(const std::string& test_case, const std::vector<variable>& environment) {
    // A comma separates doctest's filters, and an asterisk matches anything.
    std::string filter = test_case;
    for (char& each : filter)
        if (each == ',') each = '*';
    child_result out = run_program("/proc/self/exe", {"--no-skip", "--test-case=" + filter}, environment);
    // A filter that matches nothing passes: that must not look like success. A child that lacks what it needs says so, ends
    // with 77 and runs no case.
    CHECK_MESSAGE((out.exit_status == 77 || ran_one_case(out.output)), "ran '", test_case, "': ", out.output);
    return out;
}

int occurrences(const std::string& text, const std::string& word) {
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) ++count;
    return count;
}

temporary_folder::temporary_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kiln_test_XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
}

temporary_folder::~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace tests
