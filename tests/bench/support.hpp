// tests/bench/support: what the benchmarks share: contenders that take turns, medians, one table, one JSON file.
// in: measurements   out: a table on standard output, figures in a file   knows nothing of: kiln, CUDA
#pragma once

#include <text/format.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln::bench {

template <class... Values>
void print(std::FILE* to, fmt::format_string<Values...> pattern, Values&&... values) {
    std::fputs(text::format_arguments(pattern, fmt::make_format_args(values...)).c_str(), to);
}

/// --name, or --name value. Every program takes --json FILE, --commit TEXT and --strict, and passes over what it does
/// not know, so that one command line serves them all.
class arguments {
public:
    arguments(int count, const char* const* values);

    [[nodiscard]] bool has(const std::string& name) const { return values_.contains(name); }
    [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const;
    [[nodiscard]] std::int64_t number(const std::string& name, std::int64_t otherwise) const;

private:
    std::map<std::string, std::string> values_;
};

struct summary {
    double median = 0;
    double low = 0;
    double high = 0;
};

summary summarize(std::vector<double> values);

/// One way of doing the same work. `measure` does it once, or a group of times, and says what one time cost.
struct contender {
    std::function<double()> measure;
    std::vector<double> values;  // one per round
};

/// One round more than `rounds`: the first, in which caches, clocks and pools settle, is not kept. Within a round each
/// contender is measured once, and each round starts with another one: what drifts while a program runs (clocks, other
/// users of the machine, what the predecessor left in the caches) then meets all of them alike.
void take_turns(std::span<contender> contenders, int rounds);

/// Of each round's quotient: nearer to the truth than the quotient of medians where the machine drifts between rounds.
summary ratio(const contender& of, const contender& to);

/// The one with the least median.
const contender& fastest(std::span<const contender> contenders);

struct limit {
    enum class side : std::uint8_t { at_most, at_least };
    enum class subject : std::uint8_t { value, ratio };
    side which = side::at_most;
    double bound = 0;
    subject of = subject::value;
};

struct figure {
    std::string what;
    summary value;
    std::string unit;
    std::optional<summary> compared = {};  // the ratio, or the difference in `unit`, to another figure
    std::string compared_with = {};        // "x the copy", "us more than the bare loop"
    std::optional<limit> must_be = {};
    std::string remark = {};  // "24 registers"
    /// One of many of its kind: always in the file, in the table only when its limit is missed.
    bool quiet = false;

    [[nodiscard]] bool met() const;
};

class report {
public:
    /// `subject`: what was measured on, in one line.
    report(std::string program, std::string subject, const arguments& given);

    void add(figure measured) { figures_.push_back(std::move(measured)); }
    /// A line under the table: what was not measured, and why.
    void note(std::string text) { notes_.push_back(std::move(text)); }

    /// Prints the table; with --json FILE, puts this program's figures in the place of its earlier ones in FILE. The
    /// exit status: 1 when --strict was given and a limit was missed, or FILE cannot be written.
    int finish() const;

private:
    void print() const;
    void write(const std::string& file) const;

    std::string program_;
    std::string subject_;
    arguments given_;
    std::vector<figure> figures_;
    std::vector<std::string> notes_;
};

/// What a program does with an error that nothing in it expects: says it, and fails.
int fail(const char* program, const std::exception& trouble);

/// Path of the running program, to start it again.
std::string this_program();

/// The processor's model and the threads that this process may use.
std::string processor();

}  // namespace kiln::bench
