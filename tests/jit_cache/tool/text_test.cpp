// tests/jit_cache/tool/text: widths, cutting, tables, sizes and ages, and the diff, one by one.
#include "text.hpp"
#include "diff.hpp"
#include "environment.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>

using namespace kiln_cache;

namespace {

/// Makes the second text of the first one: what patch(1) does.
std::string patched(const std::string& before, const std::string& unified) {
    const std::vector<std::string> old_lines = support::lines_of(before);
    std::string after;
    std::size_t next = 0;
    for (const std::string& line : support::lines_of(unified)) {
        if (line.starts_with("@@")) {
            const std::size_t comma = line.find(',');
            const std::size_t space = line.find(' ', 4);
            const bool is_empty = comma < space && line.substr(comma + 1, space - comma - 1) == "0";
            const std::size_t first = std::stoul(line.substr(4)) - (is_empty ? 0 : 1);
            while (next < first) after += old_lines.at(next++) + "\n";
        } else if (line[0] == '+') {
            after += line.substr(1) + "\n";
        } else {
            CHECK(old_lines.at(next) == line.substr(1));
            if (line[0] == ' ') after += old_lines.at(next) + "\n";
            ++next;
        }
    }
    while (next < old_lines.size()) after += old_lines[next++] + "\n";
    return after;
}

}  // namespace

TEST_CASE("a diff turns the first text into the second, with as few lines as there are") {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::string before;
        std::string after;
        const unsigned length = random() % 60;
        for (unsigned i = 0; i < length; ++i) {
            const std::string line = "line " + std::to_string(random() % 12) + "\n";
            if (random() % 8 != 0) before += line;
            if (random() % 8 != 0) after += line;
        }
        CAPTURE(before);
        CAPTURE(after);
        const text_difference found = difference_between(before, after);
        CHECK(patched(before, found.unified) == after);
        CHECK(found.unified.empty() == (before == after));
    }
    CHECK(difference_between("a\nb\nc\n", "a\nc\n").changed.removed == 1);
    CHECK(difference_between("a\nb\nc\n", "a\nc\n").changed.added == 0);
    CHECK(difference_between("a\nb\nc\n", "a\nc\n").unified == "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
    CHECK(difference_between("", "a\n").unified == "@@ -0,0 +1 @@\n+a\n");
    CHECK(difference_between("same", "same").unified == "");
}

TEST_CASE("a diff of long texts is bounded in time, and still right") {
    std::string before = "first\n";
    std::string after = "first\n";
    for (int i = 0; i < 30'000; ++i) {
        before += "old " + std::to_string(i) + "\n";
        after += "new " + std::to_string(i) + "\n";
    }
    const text_difference found = difference_between(before, after);
    CHECK(found.changed.removed == 30'000);
    CHECK(found.changed.added == 30'000);
    CHECK(patched(before, found.unified) == after);
}

TEST_CASE("widths count what a terminal shows") {
    CHECK(width_of("") == 0);
    CHECK(width_of("caf\xc3\xa9") == 4);
    CHECK(width_of("e\xcc\x81") == 1);                 // e and a combining acute accent
    CHECK(width_of("\xe6\xbc\xa2\xe5\xad\x97") == 4);  // two ideographs
    CHECK(width_of("\xf0\x9f\x94\xa5") == 2);          // an emoji
}

TEST_CASE("text that is too long is cut with an ellipsis, never within a character") {
    CHECK(cut("short", 5) == "short");
    CHECK(cut("too long", 5) == "too \u2026");
    CHECK(cut("\xc3\xa9\xc3\xa9\xc3\xa9", 3) == "\xc3\xa9\xc3\xa9\xc3\xa9");
    CHECK(cut("\xc3\xa9\xc3\xa9\xc3\xa9", 2) == "\xc3\xa9\u2026");
    CHECK(cut("\xe6\xbc\xa2\xe5\xad\x97", 3) == "\xe6\xbc\xa2\u2026");
    CHECK(cut("\xe6\xbc\xa2\xe5\xad\x97", 2) == "\u2026");
    CHECK(cut("text", 1) == "\u2026");
    CHECK(cut("text", 0) == "");
    const std::string long_text(1 << 20, 'x');
    CHECK(cut_printable(long_text, 10) == "xxxxxxxxx\u2026");
    CHECK(cut_printable("\x1b[31m", 20) == "\\x1b[31m");
    std::string combining = "e";
    for (int i = 0; i < 10'000; ++i) combining += "\xcc\x81";
    CHECK(cut_printable(combining, 4).ends_with("\u2026"));
    for (std::size_t columns = 1; columns < 40; ++columns)
        CHECK(width_of(cut_printable("a\xe6\xbc\xa2\x1b\xff"
                                     "bc\xc3\xa9 and so on",
                                     columns)) <= columns);
}

TEST_CASE("a table cuts its widest texts first, and figures never") {
    table lines(30);
    lines.column("KEY", cells::exact);
    lines.column("NAME", cells::text, 2);
    lines.column("TARGET", cells::text);
    lines.column("SIZE", cells::number);
    lines.row({"0123456789", "a rather long name", "a long target", "1.5 KiB"});
    lines.row({"abcdef", "b", "c", "10 B"});
    CHECK(lines.text() ==
          "KEY         NAME    TARGET     SIZE\n"
          "0123456789  a rat\u2026  a lon\u2026  1.5 KiB\n"
          "abcdef      b       c          10 B\n");
    table wide(60);
    wide.column("NAME", cells::text, 2);
    wide.column("TARGET", cells::text);
    wide.row({std::string(100, 'n'), std::string(100, 't')});
    const std::vector<std::string> rows = support::lines_of(wide.text());
    CHECK(width_of(rows[1]) == 60);
    CHECK(rows[1].find(' ') > 36);  // twice the width
}

TEST_CASE("sizes, ages, durations and times are short, whatever the number") {
    CHECK(human_size(0) == "0 B");
    CHECK(human_size(1023) == "1023 B");
    CHECK(human_size(1536) == "1.5 KiB");
    CHECK(human_size(std::numeric_limits<std::uint64_t>::max()) == "16777216.0 TiB");
    CHECK(human_age(100, 100) == "now");
    CHECK(human_age(100, 160) == "1 min ago");
    CHECK(human_age(1000, 100) == "in the future");
    CHECK(human_age(0, 86'399) == "23 h ago");
    CHECK(human_age(0, 2 * 86'400) == "2 days ago");
    CHECK(human_age(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max())
              .ends_with(" years ago"));
    CHECK(human_age(std::numeric_limits<std::int64_t>::max(), 0) == "in the future");
    CHECK(human_age(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()) == "now");
    CHECK(human_duration(31.25) == "31.2 ms");
    CHECK(human_duration(62'500) == "62.5 s");
    CHECK(human_duration(1e12).ends_with(" h"));
    CHECK(iso_time(0) == "1970-01-01T00:00:00Z");
    CHECK(iso_time(253'402'300'799) == "9999-12-31T23:59:59Z");
    CHECK(iso_time(253'402'300'800) == "-");
    CHECK(iso_time(std::numeric_limits<std::int64_t>::min()) == "-");
    CHECK(counted(1, "entry", "entries") == "1 entry");
    CHECK(counted(0, "entry", "entries") == "0 entries");
}

TEST_CASE("figures are numbers that somebody could have measured") {
    CHECK(figure("31.25") == 31.25);
    CHECK(figure("0") == 0);
    for (const char* text : {"", "nan", "-nan", "inf", "-1", "1e308", "12 ms", " 12", "0x1p3"}) {
        CAPTURE(text);
        CHECK_FALSE(figure(text));
    }
    CHECK_FALSE(figure(std::nullopt));
    CHECK(integer("-7") == -7);
    CHECK_FALSE(integer("7.5"));
}

TEST_CASE("a setting takes what its row says") {
    const setting device{"KILN_DEVICE", "cpu|cuda|cuda:#", "", ""};
    for (const char* value : {"cpu", "cuda", "cuda:0", "cuda:15"}) CHECK(why_not_taken(device, value) == "");
    for (const char* value : {"CPU", "cuda:", "cuda:x", "cuda:-1", "gpu", ""})
        CHECK(why_not_taken(device, value) == "is not cpu or cuda or cuda:N");
    CHECK(why_not_taken({"", "SIZE", "", ""}, "1.5") == "is not a size such as 1073741824, 512M or 2G");
    CHECK(why_not_taken({"", "*", "", ""}, "whatever") == "");
}
