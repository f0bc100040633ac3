// tests/jit_cache/tool/size: large stores, long texts, figures that are none, narrow terminals.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace support;

namespace {

/// Characters, of text whose characters all take one column.
std::size_t columns_of(const std::string& line) {
    return static_cast<std::size_t>(std::count_if(
        line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (const std::string& line : lines_of(text)) longest = std::max(longest, columns_of(line));
    return longest;
}

void put_hostile(const fs::path& directory) {
    const std::string long_text(1 << 20, 'l');
    jit_cache::key key;
    key.add("expression", "x0 + " + long_text).add("source", long_text + "\n" + long_text).add("target", long_text);
    key.add("compiler", "/opt/" + long_text).add("options", long_text).add("generator", long_text);
    put(directory, key,
        {.payload = "p",
         .facts = {{.name = "label", .value = "\xc3\xa9" + long_text},
                   {.name = "kernel", .value = long_text},
                   {.name = "compile_ms", .value = "nan"},
                   {.name = "created", .value = "99999999999999999999999"},
                   {.name = "registers", .value = "-inf"},
                   {.name = "shared_bytes", .value = "1e400"},
                   {.name = "spill_bytes", .value = ""},
                   {.name = long_text, .value = long_text}}});
    for (const char* figure :
         {"nan", "-nan", "inf", "-5", "1e308", "0x10", "", " 7", "7 ", "1e-320", "18446744073709551616"}) {
        jit_cache::artifact odd = full_artifact(std::string("compile_ms=") + figure);
        odd.facts[2].value = figure;
        odd.facts[6].value = figure;
        put(directory, key_for(figure, "s"), odd);
    }
}

/// What the tool prints when its standard output is a terminal of so many columns.
std::string on_terminal(const fs::path& directory, unsigned short columns, const char* command) {
    const int controller = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(controller >= 0);
    REQUIRE(::grantpt(controller) == 0);
    REQUIRE(::unlockpt(controller) == 0);
    char name[100];
    REQUIRE(::ptsname_r(controller, name, sizeof name) == 0);
    const int terminal = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE(terminal >= 0);
    const ::winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    REQUIRE(::ioctl(terminal, TIOCSWINSZ, &size) == 0);
    const std::string tool = tool_path();
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::dup2(terminal, 1);
        ::unsetenv("COLUMNS");
        ::execl(tool.c_str(), tool.c_str(), "--dir", directory.c_str(), command, nullptr);
        ::_exit(127);
    }
    ::close(terminal);
    std::string output;
    char buffer[4096];
    for (::ssize_t count = 0; (count = ::read(controller, buffer, sizeof buffer)) > 0;)
        output.append(buffer, static_cast<std::size_t>(count));
    ::close(controller);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    std::erase(output, '\r');
    return output;
}

double seconds_of(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

TEST_CASE("case 62: with labels of 1 MB and figures that are none, every line stays as long as it should") {
    const temporary_folder folder;
    put_hostile(folder.cache());
    for (const std::size_t columns : {40, 80, 120, 200}) {
        CAPTURE(columns);
        const std::vector<std::string> environment{"COLUMNS=" + std::to_string(columns)};
        const finished listed = tool(folder.cache(), {"ls"}, environment);
        CHECK(listed.exit_code == 0);
        CHECK(lines_of(listed.output).size() == 13);
        // Below that there is no room for the figures alone.
        CHECK(longest_line(listed.output) <= std::max<std::size_t>(columns, 72));
        CHECK(longest_line(tool(folder.cache(), {"stats", "-v"}, environment).output) <=
              std::max<std::size_t>(columns, 80));
        const finished shown = tool(folder.cache(), {"show", name_of(key_for("nan", "s"))}, environment);
        CHECK(shown.exit_code == 0);
    }
    // In a pipe, lines have an end too.
    CHECK(longest_line(tool(folder.cache(), {"ls"}).output) <= 200);
    CHECK(holds(tool(folder.cache(), {"ls"}).output, "\u2026"));
}

TEST_CASE("case 62: show and why stay short, and --json is never cut") {
    const temporary_folder folder;
    put_hostile(folder.cache());
    const json all = tool_json(folder.cache(), {"ls", "--filter", "x0 + lll"});
    REQUIRE(all["entries"].size() == 1);
    const json& large = all["entries"][0];
    CHECK(large["label"].get<std::string>().size() == (1 << 20) + 2);
    CHECK(large["target"].get<std::string>().size() == 1 << 20);
    CHECK(large["compile_ms"] == "nan");
    CHECK(large["registers"] == "-inf");
    CHECK(large["shared_bytes"] == "1e400");
    CHECK(large["spill_bytes"] == "");
    CHECK(large["created"].is_null());
    const std::string key = large["key"];
    CHECK(tool(folder.cache(), {"show", key}).output.size() < 20'000);
    CHECK(tool(folder.cache(), {"show", key, "--facts"}).output.size() < 20'000);
    CHECK(holds(tool(folder.cache(), {"show", key, "--facts"}).output, "(1048578 bytes)"));
    CHECK(tool_json(folder.cache(), {"show", key})["facts"]["label"].get<std::string>().size() == (1 << 20) + 2);
    CHECK(tool(folder.cache(), {"show", key, "--source"}).output.size() == (2 << 20) + 2);
    CHECK(tool(folder.cache(), {"why", key, name_of(key_for("nan", "s"))}).output.size() < 3 << 20);
    CHECK(tool(folder.cache(), {"show", "no such key"}).errors.size() < 4096);
}

TEST_CASE("case 62: absurd figures reach no sum and order nothing wrongly") {
    const temporary_folder folder;
    put_hostile(folder.cache());
    put(folder.cache(), key_for("real", "s"), full_artifact("real"));
    const json sums = tool_json(folder.cache(), {"stats"});
    CHECK(sums["compile_ms"].get<double>() == doctest::Approx(31.25));
    const json sorted = tool_json(folder.cache(), {"ls", "--sort", "compile", "--limit", "1"});
    CHECK(sorted["entries"][0]["label"] == "real");
    set_last_use(path_of(folder.cache(), key_for("real", "s")),
                 -62'135'596'800);  // the year 1, where the file system can
    CHECK(tool(folder.cache(), {"ls"}).exit_code == 0);
    set_last_use(path_of(folder.cache(), key_for("real", "s")), 4'102'444'800);  // 2100
    CHECK(holds(tool(folder.cache(), {"ls"}).output, "in the future"));
}

TEST_CASE("case 62: on a terminal, lines fit it") {
    const temporary_folder folder;
    put_hostile(folder.cache());
    for (const unsigned short columns : {80, 132}) {
        CAPTURE(columns);
        const std::string listed = on_terminal(folder.cache(), columns, "ls");
        CHECK(lines_of(listed).size() == 13);
        CHECK(longest_line(listed) <= columns);
        CHECK(longest_line(listed) > columns - 10u);
    }
}

TEST_CASE("case 62: 18,000 entries are listed, summed up, verified and cleaned in about a second each") {
    const temporary_folder folder;
    constexpr int count = 18'000;
    const jit_cache::artifact value = full_artifact();
    for (int number = 0; number < count; ++number) write_entry(folder.cache(), key_of(number), value);
    // The bounds are for a machine that does something else as well; what it takes when quiet stands in the manual of the
    // store's figures, and is a tenth of them.
    const auto takes = [&](double most_s, const std::vector<std::string>& words) {
        CAPTURE(words[0]);
        finished ended;
        const double seconds = seconds_of([&] { ended = tool(folder.cache(), words); });
        CHECK(ended.exit_code == 0);
        CHECK(seconds < most_s);
        return ended;
    };
    CHECK(lines_of(takes(5, {"ls"}).output).size() == count + 1);
    CHECK(holds(takes(5, {"stats", "-v"}).output, "18000 of at most 20000"));
    CHECK(holds(takes(5, {"verify"}).output, "18000 entries"));
    CHECK(takes(5, {"gc", "--max-entries", "10000"}).output.starts_with("removed 9000 entries"));
    CHECK(takes(5, {"clear"}).output.starts_with("removed 9000 entries"));
}
