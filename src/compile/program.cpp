// kiln/compile/program: words, PATH, and the rule of trust for what is found there.
#include <compile/program.hpp>

#include <jit_cache/trust.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

namespace kiln::compile {

namespace trust = jit_cache::trust;

namespace {

bool is_executable_file(const std::string& path) {
    struct ::stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// A path keeps its meaning where the program works in another folder.
std::string absolute(const std::string& path) {
    char folder[PATH_MAX];
    if (path.starts_with('/') || !::getcwd(folder, sizeof folder)) return path;
    return std::string(folder) + '/' + path;
}

/// Absolute ones: starting a compiler from whatever folder the caller is in is a surprise that nobody wants.
std::vector<std::string> folders_of(const std::string& path) {
    std::vector<std::string> folders;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find(':', begin), path.size());
        if (path[begin] == '/') folders.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return folders;
}

std::string search_path() {
    const std::string path = trust::environment("PATH");
    return path.empty() ? "/usr/local/bin:/usr/bin:/bin" : path;
}

}  // namespace

std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    const auto add = [&](char c) {
        if (!in_word) words.emplace_back();
        in_word = true;
        words.back() += c;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        // Between double quotes a backslash is one, unless it stands before what would end them.
        const bool escapes = c == '\\' && i + 1 < line.size() &&
                             (quote == 0 || (quote == '"' && (line[i + 1] == '"' || line[i + 1] == '\\')));
        if (escapes) {
            add(line[++i]);
        } else if (quote != 0) {
            if (c == quote) quote = 0;
            else add(c);
        } else if (c == '"' || c == '\'') {
            quote = c;
            if (!in_word) words.emplace_back();  // "" is a word, too
            in_word = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            in_word = false;
        } else {
            add(c);
        }
    }
    return words;
}

std::string trusted_search_path() {
    std::string path;
    for (const std::string& folder : folders_of(search_path()))
        if (trust::distrust_program(folder, trust::chosen_by::search).empty())
            path.append(path.empty() ? "" : ":").append(folder);
    return path;
}

program_search find_trusted_program(const std::string& name, named by) {
    program_search result;
    const auto judge = [&](const std::string& candidate, trust::chosen_by how) {
        std::string why = trust::distrust_program(candidate, how);
        if (why.empty()) result.path = candidate;
        else result.refused.push_back(candidate + " is not started: " + why);
    };
    if (name.find('/') != std::string::npos) {
        if (is_executable_file(name))
            judge(absolute(name), by == named::for_kiln ? trust::chosen_by::name : trust::chosen_by::search);
        return result;
    }
    if (name.empty()) return result;
    for (const std::string& folder : folders_of(search_path())) {
        const std::string candidate = folder + '/' + name;
        if (!is_executable_file(candidate)) continue;
        judge(candidate, trust::chosen_by::search);
        if (!result.path.empty() || by == named::for_kiln) break;
    }
    return result;
}

std::string find_program(const std::string& name, const std::string& path) {
    if (name.find('/') != std::string::npos) return is_executable_file(name) ? absolute(name) : std::string();
    if (name.empty()) return {};
    for (const std::string& folder : folders_of(path))
        if (const std::string candidate = folder + '/' + name; is_executable_file(candidate)) return candidate;
    return {};
}

std::string find_program(const std::string& name) { return find_program(name, search_path()); }

}  // namespace kiln::compile
