// kiln/compile/compiler_identity: the answer to -###, word by word.
#include <compile/compiler_identity.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/identity.hpp>
#include <compile/program.hpp>
#include <compile/system.hpp>

#include <jit_cache/key.hpp>
#include <jit_cache/printable.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <system_error>

namespace kiln::compile {

namespace {

template <std::size_t count>
bool starts_with_any(std::string_view word, const std::array<std::string_view, count>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [word](std::string_view each) { return word.starts_with(each); });
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// These say where something is installed. What is taken from there is in the identity by its content (programs,
// libraries), or is not taken at all: a kernel includes nothing.
constexpr std::array<std::string_view, 4> words_of_place = {"-L", "COMPILER_PATH=", "LIBRARY_PATH=", "InstalledDir:"};
constexpr std::array<std::string_view, 6> words_before_place = {
    "-iprefix", "-isystem", "-internal-isystem", "-internal-externc-isystem", "-resource-dir", "InstalledDir:"};
// The caches of the core that happened to be asked: big and little ones differ. Whatever code they lead to is right on
// either.
constexpr std::array<std::string_view, 2> words_of_core = {"l1-cache-", "l2-cache-"};

process_result run(const std::vector<std::string>& command, const process_options& how) {
    process_result ran = run_process(command, how);
    if (is_passing(ran.error)) throw std::system_error(ran.error, std::generic_category(), command[0]);
    return ran;
}

/// Collects what tells one compiler from another.
class examination {
public:
    explicit examination(const process_options& how) : how_(how) {
        for (const std::string& each : how.environment)
            if (each.starts_with("PATH=")) search_path_ = each.substr(5);
    }

    void add(std::string_view fact) { facts_.append(fact).push_back('\0'); }

    void add_file(const std::string& path) { add(identity_of(path)); }

    /// "ccache g++": the second word is a compiler, too.
    void add_argument(const std::string& word) {
        add(word);
        if (const std::string program = find_program(word, search_path_); !program.empty()) add_file(program);
    }

    void add_environment() {
        // What chooses another compiler, or another machine's. Where a compiler cache keeps what, and how much, is no part of
        // what it compiles.
        constexpr std::array<std::string_view, 5> telling = {"CCACHE_COMPILER=", "CCACHE_CONFIGPATH=", "CCACHE_PREFIX",
                                                             "DISTCC_", "ICECC_"};
        for (const std::string& each : how_.environment)
            if (starts_with_any(each, telling)) add(each);
    }

    /// False: nothing that would be run was named.
    bool add_answer(const std::string& answer) {
        std::vector<std::vector<std::string>> commands;
        for (const std::string_view line : lines_of(answer)) {
            if (line.starts_with("Configured with:")) {
                add(line);
                continue;
            }
            std::vector<std::string> words = shell_words(line);
            if (words.empty()) continue;
            if (line.starts_with("COMPILER_PATH=")) compiler_path_ = words[0].substr(words[0].find('=') + 1);
            if (line.starts_with(' ') && words[0] != "(in-process)") {  // clang says so on a line of its own
                words[0] = program_named(words[0]);
                commands.push_back(words);
            }
            add_words(words);
        }
        for (std::size_t i = 0; i < commands.size(); ++i) {
            if (i + 1 < commands.size()) add_part(commands[i][0]);
            else add_linking(commands[i]);
        }
        return !commands.empty();
    }

    [[nodiscard]] bool has_assembler() const noexcept { return has_assembler_; }
    [[nodiscard]] std::string hash() const { return to_hex(jit_cache::content_hash(facts_)); }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> paths;
        for (const auto& [path, identity] : identities_) paths.push_back(path);
        return paths;
    }

private:
    const std::string& identity_of(const std::string& path) {
        const auto [at, is_new] = identities_.try_emplace(path);
        if (is_new) at->second = file_identity(path);
        return at->second;
    }

    /// As the compiler's execvp() finds it.
    [[nodiscard]] std::string program_named(const std::string& name) const {
        if (name.find('/') != std::string::npos) return name;
        const std::string found = find_program(name, search_path_);
        return found.empty() ? name : found;
    }

    void add_words(const std::vector<std::string>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool says_place =
                std::find(words_before_place.begin(), words_before_place.end(), words[i]) != words_before_place.end();
            if (says_place) ++i;
            else if (!starts_with_any(words[i], words_of_place) && !starts_with_any(words[i], words_of_core))
                add_word(words[i]);
        }
    }

    void add_word(const std::string& word) {
        // Temporary files have random names; the rest of what is in the folder is kiln's own.
        if (const std::size_t at = word.find(how_.folder); at != std::string::npos && !how_.folder.empty())
            return add(word.substr(0, at) + "<work>");
        const std::size_t slash = word.find('/');
        if (slash == std::string::npos) return add(word);
        const std::string path = word.substr(slash);
        if (!is_file(path)) return add(word);
        add(word.substr(0, slash));
        add_file(path);
    }

    /// A program that makes code, and the libraries that it is made of: clang is a shell around libLLVM.
    void add_part(const std::string& program) {
        const std::string_view name = file_name(program);
        has_assembler_ = has_assembler_ || name == "as" || name.ends_with("-as");
        const std::string loader = program_loader(program);
        if (loader.empty()) return;
        const process_result listed = run({loader, "--list", program}, how_);
        if (listed.exit_status != 0) return;
        for (const std::string_view line : lines_of(listed.output))
            for (const std::string& word : shell_words(line))
                if (word.starts_with('/')) add_file(word);
    }

    /// What the linker takes from elsewhere: gcc's collect2 starts another program, and -l names libraries.
    void add_linking(const std::vector<std::string>& command) {
        std::string linker = "ld";
        std::vector<std::string> folders;
        for (const std::string& word : command) {
            if (word.starts_with("-fuse-ld=")) linker = "ld." + word.substr(9);
            if (word.starts_with("-L")) folders.push_back(word.substr(2));
        }
        if (file_name(command[0]) == "collect2") add_file(linker_of_collect2(linker));
        for (const std::string& word : command)
            if (word.starts_with("-l")) add_file(library(word.substr(2), folders));
    }

    [[nodiscard]] std::string linker_of_collect2(const std::string& name) const {
        for (std::size_t begin = 0; begin < compiler_path_.size();) {
            const std::size_t end = std::min(compiler_path_.find(':', begin), compiler_path_.size());
            const std::string candidate = compiler_path_.substr(begin, end - begin) + '/' + name;
            if (is_file(candidate)) return candidate;
            begin = end + 1;
        }
        return program_named(name);
    }

    static std::string library(const std::string& name, const std::vector<std::string>& folders) {
        for (const std::string& folder : folders)
            for (const char* ending : {".so", ".a"})
                if (const std::string path = folder + "/lib" + name + ending; is_file(path)) return path;
        return {};
    }

    const process_options& how_;
    std::string facts_;
    std::map<std::string, std::string> identities_;  // of each file that was looked at
    std::string search_path_;                        // the compiler's PATH
    std::string compiler_path_;                      // where gcc looks before it
    bool has_assembler_ = false;
};

/// As one line of a message.
std::string shortened(std::string_view name) {
    constexpr std::size_t longest = 120;
    name = name.substr(0, std::min(name.find_last_not_of(" \r") + 1, longest));
    return jit_cache::printable(name);
}

/// "g++ 12.2.0 (Debian 12.2.0-14+deb12u1)", "Debian clang 14.0.6": from "gcc version 12.2.0 (...)" and the like in the
/// answer to -###; "" when there is none.
std::string name_in_answer(std::string_view answer) {
    constexpr std::string_view mark = " version ";
    for (const std::string_view line : lines_of(answer)) {
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos || at == 0 || line.starts_with(' ')) continue;
        const std::string name(line.substr(0, at));
        return shortened((name == "gcc" ? "g++" : name) + " " + std::string(line.substr(at + mark.size())));
    }
    return {};
}

/// Its name; "" when it does not know the question.
std::string ask_what_it_would_do(const std::vector<std::string>& command, std::size_t leading,
                                 const process_options& how, examination& seen, std::string& failure) {
    std::vector<std::string> question = command;
    question.insert(question.begin() + 1 + static_cast<std::ptrdiff_t>(leading), "-###");
    const process_result answer = run(question, how);
    if (answer.how == process_end::out_of_time) failure = "it was asked which compiler it is, and " + answer.ended;
    if (answer.exit_status != 0 || !seen.add_answer(answer.output)) return {};
    const std::string name = name_in_answer(answer.output);
    return name.empty() ? shortened(file_name(command[0])) : name;
}

std::string ask_version(const std::vector<std::string>& command, std::size_t leading, const process_options& how,
                        examination& seen, std::string& failure) {
    std::vector<std::string> question(command.begin(), command.begin() + 1 + static_cast<std::ptrdiff_t>(leading));
    question.emplace_back("--version");
    const process_result answer = run(question, how);
    if (answer.how == process_end::out_of_time) failure = "it was asked for its version, and " + answer.ended;
    if (answer.exit_status != 0) return {};
    seen.add(answer.output);
    return shortened(std::string_view(answer.output).substr(0, answer.output.find('\n')));
}

}  // namespace

compiler_identity identify_compiler(const std::vector<std::string>& command, std::size_t leading,
                                    const process_options& how) {
    compiler_identity result;
    examination seen(how);
    seen.add_file(command[0]);
    for (std::size_t i = 1; i <= leading; ++i) seen.add_argument(command[i]);
    seen.add_environment();

    std::string name = ask_what_it_would_do(command, leading, how, seen, result.failure);
    if (name.empty() && result.failure.empty()) name = ask_version(command, leading, how, seen, result.failure);
    if (name.empty()) name = shortened(file_name(command[0]));
    result.fingerprint = name + " [" + seen.hash() + "]";
    result.has_assembler = seen.has_assembler();
    result.files = seen.files();
    return result;
}

}  // namespace kiln::compile
