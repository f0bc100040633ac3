#include "support.hpp"

#include <compile/program.hpp>
#include <compile/subprocess.hpp>
#include <device/cpu/thread_pool.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace kiln::bench {

arguments::arguments(int count, const char* const* values) {
    for (int i = 1; i < count; ++i) {
        const std::string name = values[i];
        const bool has_value = i + 1 < count && std::string(values[i + 1]).rfind("--", 0) != 0;
        values_[name] = has_value ? values[++i] : "";
    }
}

std::string arguments::text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
}

std::int64_t arguments::number(const std::string& name, std::int64_t otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : std::stoll(found->second);
}

summary summarize(std::vector<double> values) {
    if (values.empty()) throw std::logic_error("nothing was measured");
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {median, values.front(), values.back()};
}

void take_turns(std::span<contender> contenders, int rounds) {
    for (contender& each : contenders) each.measure();
    const std::size_t count = contenders.size();
    for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round)
        for (std::size_t turn = 0; turn < count; ++turn) {
            contender& next = contenders[(round + turn) % count];
            next.values.push_back(next.measure());
        }
}

summary ratio(const contender& of, const contender& to) {
    std::vector<double> quotients;
    for (std::size_t round = 0; round < of.values.size(); ++round)
        quotients.push_back(of.values[round] / to.values[round]);
    return summarize(std::move(quotients));
}

const contender& fastest(std::span<const contender> contenders) {
    return *std::min_element(contenders.begin(), contenders.end(), [](const contender& a, const contender& b) {
        return summarize(a.values).median < summarize(b.values).median;
    });
}

bool figure::met() const {
    if (!must_be) return true;
    const double judged = must_be->of == limit::subject::value ? value.median : compared.value().median;
    return must_be->which == limit::side::at_most ? judged <= must_be->bound : judged >= must_be->bound;
}

report::report(std::string program, std::string subject, const arguments& given)
    : program_(std::move(program)), subject_(std::move(subject)), given_(given) {}

namespace {

/// Three digits that matter, and never an exponent.
std::string number_text(double value) {
    const double size = value < 0 ? -value : value;
    if (size >= 99.95 || value == static_cast<double>(static_cast<std::int64_t>(value)))
        return fmt::format("{:.0f}", value);
    return size >= 9.995 ? fmt::format("{:.1f}", value)
           : size >= 0.1 ? fmt::format("{:.3f}", value)
                         : fmt::format("{:.4f}", value);
}

std::string limit_text(const figure& of) {
    if (!of.must_be) return "";
    const bool value = of.must_be->of == limit::subject::value;
    return fmt::format("{} {} {}",
                       of.must_be->which == limit::side::at_most ? "<=" : ">=", number_text(of.must_be->bound),
                       value ? of.unit : "");
}

std::string commit(const arguments& given) {
    if (given.has("--commit")) return given.text("--commit", "");
    const std::string git = compile::find_program("git");
    if (git.empty()) return "unknown";
    const compile::process_result said =
        compile::run_process({git, "describe", "--always", "--dirty", "--abbrev=12"}, {.inherits_environment = true});
    return said.exit_status == 0 ? said.output.substr(0, said.output.find('\n')) : "unknown";
}

nlohmann::json as_json(const summary& of) { return {{"median", of.median}, {"low", of.low}, {"high", of.high}}; }

nlohmann::json as_json(const figure& of) {
    nlohmann::json out{{"what", of.what}, {"unit", of.unit}, {"value", as_json(of.value)}};
    if (of.compared) out["compared"] = as_json(*of.compared);
    if (!of.compared_with.empty()) out["compared_with"] = of.compared_with;
    if (of.must_be) {
        out["limit"] = {{of.must_be->which == limit::side::at_most ? "at_most" : "at_least", of.must_be->bound},
                        {"of", of.must_be->of == limit::subject::value ? "value" : "compared"}};
        out["met"] = of.met();
    }
    if (!of.remark.empty()) out["remark"] = of.remark;
    return out;
}

/// The file's content so far; what is no such file is started anew.
nlohmann::json read(const std::string& file) {
    std::ifstream in(file);
    nlohmann::json content = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
    return content.is_object() ? content : nlohmann::json::object();
}

}  // namespace

int report::finish() const {
    print();
    if (given_.has("--json")) {
        try {
            write(given_.text("--json", ""));
        } catch (const std::exception& trouble) {
            fmt::print(stderr, "{}: {}\n", program_, trouble.what());
            return 1;
        }
    }
    const bool all_met = std::all_of(figures_.begin(), figures_.end(), [](const figure& each) { return each.met(); });
    return given_.has("--strict") && !all_met ? 1 : 0;
}

void report::print() const {
    std::vector<std::vector<std::string>> rows{{"what", "figure", "low .. high", "compared", "limit", "", ""}};
    for (const figure& each : figures_) {
        if (each.quiet && each.met()) continue;
        rows.push_back({each.what, number_text(each.value.median) + " " + each.unit,
                        each.value.low == each.value.high
                            ? ""
                            : fmt::format("{} .. {}", number_text(each.value.low), number_text(each.value.high)),
                        each.compared ? number_text(each.compared->median) + " " + each.compared_with : "",
                        limit_text(each),
                        !each.must_be ? ""
                        : each.met()  ? "ok"
                                      : "MISSED",
                        each.remark});
    }
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t column = 0; column < row.size(); ++column)
            widths[column] = std::max(widths[column], row[column].size());

    fmt::print("{}: {}\n", program_, subject_);
    for (const auto& row : rows)
        fmt::print("  {:<{}}  {:>{}}  {:>{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1],
                   row[2], widths[2], row[3], widths[3], row[4], widths[4], row[5], widths[5], row[6]);
    for (const std::string& each : notes_) fmt::print("  {}\n", each);
    std::fflush(stdout);
}

void report::write(const std::string& file) const {
    nlohmann::json content = read(file);
    nlohmann::json& mine = content["programs"][program_];
    mine = {{"subject", subject_},
            {"processor", processor()},
            {"commit", commit(given_)},
            {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
            {"figures", nlohmann::json::array()},
            {"notes", notes_}};
    for (const figure& each : figures_) mine["figures"].push_back(as_json(each));

    // Renamed into place: programs that run one after the other add to the file, and a killed one leaves it whole.
    const std::string temporary = file + ".new";
    std::ofstream out(temporary);
    out << content.dump(2) << '\n';
    out.close();
    if (!out) throw std::runtime_error("cannot write " + temporary);
    std::filesystem::rename(temporary, file);
}

int fail(const char* program, const std::exception& trouble) {
    fmt::print(stderr, "{}: {}\n", program, trouble.what());
    return 1;
}

std::string this_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    std::string model = "unknown processor";
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    return fmt::format("{}, {} threads", model, backend::usable_thread_count());
}

}  // namespace kiln::bench
