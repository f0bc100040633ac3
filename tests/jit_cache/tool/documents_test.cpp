// tests/jit_cache/tool/documents: what --help, the manual page, the completions, README and the sources say of commands,
// options, fields and variables is the same.
#include "environment.hpp"
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <regex>
#include <set>

using namespace support;

namespace {

std::string help_of(const std::string& command) {
    const finished ended = run({tool_path(), "help", command});
    CHECK(ended.exit_code == 0);
    return ended.output;
}

std::set<std::string> commands_in_help() {
    std::set<std::string> commands;
    const std::vector<std::string> lines = lines_of(run({tool_path(), "--help"}).output);
    auto line = std::find(lines.begin(), lines.end(), "Subcommands:");
    REQUIRE(line != lines.end());
    for (++line; line != lines.end() && line->starts_with("  "); ++line)
        commands.insert(line->substr(2, line->find(' ', 2) - 2));
    return commands;
}

/// "--sort", "-v": the options that a help text lists, not those that it mentions.
std::set<std::string> options_in(const std::string& help) {
    std::set<std::string> options;
    for (const std::string& line : lines_of(help)) {
        if (!line.starts_with("  -")) continue;
        const std::string words = line.substr(2, line.find(' ', 2) - 2);
        for (std::size_t begin = 0; begin < words.size();) {
            const std::size_t end = std::min(words.find(',', begin), words.size());
            options.insert(words.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    return options;
}

std::string document(const char* name) {
    const std::string text = contents(source_folder() + "/jit_cache/tool/documents/" + name);
    REQUIRE_FALSE(text.empty());
    return text;
}

/// As a reader sees it: without the macros that lay it out.
std::string manual_page() {
    std::string text = document("kiln-cache.1");
    text = std::regex_replace(text, std::regex("\\bFl -"), "--");
    return std::regex_replace(text, std::regex("\\bFl (.)\\b"), "-$1");
}

bool has_word(const std::string& text, const std::string& word) {
    const auto is_part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_part(text[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == text.size() || !is_part(text[end]))) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("every command and option of --help is in the manual page and in both completions") {
    const std::string manual = manual_page();
    const std::string bash = document("kiln-cache.bash");
    const std::string zsh = document("_kiln-cache");
    const std::set<std::string> commands = commands_in_help();
    CHECK(commands.size() == 12);
    const auto is_everywhere = [&](const std::string& word) {
        CAPTURE(word);
        CHECK(has_word(manual, word));
        CHECK(has_word(bash, word));
        CHECK((has_word(zsh, word) || holds(zsh, "," + word + "}") || holds(zsh, "{" + word + ",")));
    };
    for (const std::string& option : options_in(run({tool_path(), "--help"}).output)) is_everywhere(option);
    for (const std::string& command : commands) {
        CAPTURE(command);
        CHECK(holds(manual, ".It Cm " + command));
        CHECK(holds(zsh, "'" + command + ":"));
        CHECK(holds(bash, " " + command));
        for (const std::string& option : options_in(help_of(command))) is_everywhere(option);
    }
}

TEST_CASE("every command has a help with an example and its exit codes") {
    for (const std::string& command : commands_in_help()) {
        if (command == "help") continue;
        CAPTURE(command);
        const std::string help = help_of(command);
        CHECK(holds(help, "Example"));
        CHECK(holds(help, "kiln-cache " + command));
        CHECK(holds(help, "Exit codes: 0 "));
        CHECK(holds(help, "With every command: --dir FOLDER, --json"));
        CHECK(run({tool_path(), command, "--help"}).output == help);
    }
    CHECK(holds(help_of("unpack"), "A pack is code"));
}

TEST_CASE("every example of --help and of the manual page runs as it stands") {
    const temporary_folder folder;
    const fs::path programs = folder.path() / "bin";
    fs::create_directory(programs);
    fs::create_symlink(tool_path(), programs / "kiln-cache");
    const bool has_jq = run({"/bin/sh", "-c", "command -v jq"}).exit_code == 0;
    const std::string one = name_of(key_for("x", "a", "sm_80")).substr(0, 17);
    const std::string other = name_of(key_for("x", "b", "sm_90")).substr(0, 17);
    jit_cache::artifact slow = full_artifact();
    slow.facts[2].value = "312.5";  // for the example that looks for such
    int count = 0;
    const auto runs = [&](std::string line) {
        CAPTURE(line);
        line.erase(0, line.find_first_not_of(' '));
        line.resize(std::min(line.find("  "), line.size()));  // what it is good for
        line = std::regex_replace(line, std::regex("3f2a91c07b"), one);
        line = std::regex_replace(line, std::regex("3f2a91d2e4"), other);
        line = std::regex_replace(line, std::regex("/usr/share/app"), folder.path().string() + "/share");
        if (!has_jq) line = line.substr(0, line.find(" | jq"));
        // Each on the same folder, whatever the ones before have deleted.
        put(folder.cache(), key_for("x", "a", "sm_80"), slow);
        put(folder.cache(), key_for("x", "b", "sm_90"), slow);
        REQUIRE(tool(folder.cache(), {"pack", (folder.path() / "app.kpack").string()}).exit_code == 0);
        const finished ended =
            run({"/bin/sh", "-c", "cd \"$0\" && " + line, folder.path().string()},
                {"PATH=" + programs.string() + ":/usr/bin:/bin", "KILN_CACHE_DIR=" + folder.cache().string(),
                 "KILN_DEVICE=cpu", "KILN_CPU=interpret", "TMPDIR="});
        CAPTURE(ended.errors);
        CHECK(ended.exit_code == 0);
        CHECK(ended.errors == "");
        CHECK_FALSE(ended.output.empty());
        ++count;
    };
    std::set<std::string> commands = commands_in_help();
    commands.insert("");
    for (const std::string& command : commands)
        for (const std::string& line :
             lines_of(command.empty() ? run({tool_path(), "--help"}).output : help_of(command)))
            if (line.starts_with("  kiln-cache ")) runs(line);
    // Which other users can reach.
    for (const char* each : {"share", "share/kernels", "share/kernels/v2"})
        CHECK(fs::status(folder.path() / each).permissions() == static_cast<fs::perms>(0755));
    const std::string manual = document("kiln-cache.1");
    for (const std::string& line : lines_of(manual.substr(manual.find(".Sh EXAMPLES"))))
        if (line.starts_with("kiln-cache ")) runs(line);
    CHECK(count > 25);
}

TEST_CASE("every field that --json prints is in the manual page") {
    const temporary_folder folder;
    const fs::path readable = folder.path() / "read only";
    for (const fs::path& each : {folder.cache(), readable}) {
        put(each, key_for("x", "a", "sm_80"), full_artifact());
        put(each, key_for("x", "b", "sm_90"), full_artifact());
    }
    put(folder.cache(), key_of(1), full_artifact());
    overwrite(file_of(folder.cache(), 1), "");
    overwrite(file_of(folder.cache(), 1).parent_path() / temporary_of(dead_process(), 1), "");
    put(folder.cache(), key_of(2), full_artifact());
    fs::permissions(file_of(folder.cache(), 2), fs::perms::owner_all | fs::perms::group_write);
    const std::string one = name_of(key_for("x", "a", "sm_80"));
    const std::string other = name_of(key_for("x", "b", "sm_90"));
    const std::string packed = (folder.path() / "all.kpack").string();
    std::set<std::string> fields;
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"ls"},
                                                                                       {"show", one, "--source"},
                                                                                       {"show", one, "--ptx"},
                                                                                       {"show", one, "--sass"},
                                                                                       {"show", "zz"},
                                                                                       {"why", one, other},
                                                                                       {"why", one},
                                                                                       {"stats"},
                                                                                       {"verify"},
                                                                                       {"doctor"},
                                                                                       {"gc", "--dry-run"},
                                                                                       {"clear", "--dry-run"},
                                                                                       {"pack", packed},
                                                                                       {"unpack", packed, "--list"},
                                                                                       {"unpack", packed},
                                                                                       {"rm", one}}) {
        std::vector<std::string> command = words;
        command.emplace_back("--json");
        json said = json::parse(tool(folder.cache(), command, {"KILN_CACHE_READONLY=" + readable.string()}).output);
        said.erase("facts");  // whose names are the facts' own
        if (words[0] == "show") said.erase("extras");
        for (const std::string& name : field_names(said)) fields.insert(name);
    }
    fields.insert({"facts", "extras"});
    CHECK(fields.size() > 90);
    const std::string manual = manual_page();
    for (const std::string& name : fields) {
        CAPTURE(name);
        CHECK(has_word(manual, name));
    }
}

TEST_CASE("README's table of the environment is the one that doctor and --help have") {
    std::string table;
    for (const kiln_cache::setting& one : kiln_cache::all_settings())
        table.append("| `")
            .append(one.name)
            .append("` | ")
            .append(one.meaning)
            .append("; unset: ")
            .append(one.unset)
            .append(" |\n");
    const std::string readme = contents(source_folder() + "/README.md");
    CAPTURE(table);
    CHECK(holds(readme, "| variable | meaning |\n|---|---|\n" + table + "\n"));
    const std::string help = run({tool_path(), "--help"}).output;
    for (const kiln_cache::setting& one : kiln_cache::all_settings()) {
        CAPTURE(one.name);
        CHECK(holds(help, "  " + std::string(one.name) + "\n"));
        CHECK(holds(help, kiln_cache::without_backticks(one.meaning)));
        CHECK(holds(manual_page(), ".It Ev " + std::string(one.name) + "\n"));
    }
}

TEST_CASE("every KILN_ variable that the sources ask for is in the table") {
    std::set<std::string> asked;
    const std::regex question("(?:environment|getenv)\\(\"(KILN_[A-Z_]+)\"\\)");
    for (const char* part : {"/src", "/jit_cache/src"}) {
        for (const auto& each : fs::recursive_directory_iterator(source_folder() + part)) {
            if (each.path().extension() != ".cpp" && each.path().extension() != ".hpp") continue;
            const std::string text = contents(each.path());
            for (std::sregex_iterator match(text.begin(), text.end(), question), end; match != end; ++match)
                asked.insert((*match)[1]);
        }
    }
    CHECK(asked.contains("KILN_DEVICE"));
    for (const std::string& name : asked) {
        CAPTURE(name);
        CHECK(std::any_of(kiln_cache::all_settings().begin(), kiln_cache::all_settings().end(),
                          [&](const kiln_cache::setting& one) { return one.name == name; }));
    }
}

TEST_CASE("the manual page is laid out without a complaint") {
    if (!fs::exists("/usr/bin/groff")) {
        MESSAGE("skipped: there is no groff here");
        return;
    }
    const finished ended = run({"/usr/bin/groff", "-mandoc", "-ww", "-Tutf8", "-z",
                                source_folder() + "/jit_cache/tool/documents/kiln-cache.1"});
    CHECK(ended.exit_code == 0);
    CHECK(ended.errors == "");
}

TEST_CASE("bash completes commands, options, orders and keys") {
    if (!fs::exists("/bin/bash")) {
        MESSAGE("skipped: there is no bash here");
        return;
    }
    const temporary_folder folder;
    put(folder.cache(), key_of(1), {});
    put(folder.cache(), key_of(2), {});
    const auto complete = [&](const std::vector<std::string>& words) {
        std::string script = "source \"$0\"; COMP_WORDS=(\"$1\"";
        for (const std::string& word : words) script += " '" + word + "'";
        script += "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kiln_cache; printf '%s\\n' \"${COMPREPLY[@]}\"";
        const finished ended = run({"/bin/bash", "--norc", "-c", script,
                                    source_folder() + "/jit_cache/tool/documents/kiln-cache.bash", tool_path()});
        CHECK(ended.errors == "");
        std::vector<std::string> answers = lines_of(ended.output);
        std::erase(answers, "");
        return std::set<std::string>(answers.begin(), answers.end());
    };
    CHECK(complete({"st"}) == std::set<std::string>{"stats"});
    CHECK(complete({"--d"}) == std::set<std::string>{"--dir"});
    for (const std::string& command : commands_in_help()) CHECK(complete({""}).contains(command));
    CHECK(complete({"ls", "--s"}) == std::set<std::string>{"--sort"});
    CHECK(complete({"ls", "--sort", ""}) == std::set<std::string>{"used", "size", "compile"});
    CHECK(complete({"ls", "--limit", ""}).empty());
    CHECK(complete({"help", "un"}) == std::set<std::string>{"unpack"});
    for (const std::string& command : commands_in_help())
        for (const std::string& option : options_in(help_of(command)))
            CHECK(complete({command, option}).contains(option));
    const std::string digits = name_of(key_of(1)).substr(0, 10);
    CHECK(complete({"--dir", folder.cache().string(), "show", digits.substr(0, 4)}) == std::set<std::string>{digits});
    CHECK(complete({"--dir", folder.cache().string(), "rm", ""}).size() == 2);
}

TEST_CASE("zsh takes its completion") {
    if (!fs::exists("/usr/bin/zsh") && !fs::exists("/bin/zsh")) {
        MESSAGE("skipped: there is no zsh here");
        return;
    }
    const fs::path zsh = fs::exists("/usr/bin/zsh") ? "/usr/bin/zsh" : "/bin/zsh";
    const std::string file = source_folder() + "/jit_cache/tool/documents/_kiln-cache";
    CHECK(run({zsh, "-n", file}).exit_code == 0);
    // Loaded by the completion system under the tool's name.
    const finished ended =
        run({zsh, "-f", "-c",
             "fpath=(${0:h} $fpath); autoload -Uz compinit && compinit -D -u && print ${_comps[kiln-cache]}", file});
    CHECK(ended.output == "_kiln-cache\n");
}
