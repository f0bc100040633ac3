// kiln-cache/progress_line: a carriage return, and a control sequence that erases to the end of the line.
#include "progress_line.hpp"

#include "output.hpp"

#include <jit_cache/trust.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>

namespace kiln_cache {

namespace {

constexpr std::string_view take_line_away = "\r\x1b[K";
constexpr std::chrono::milliseconds least_pause{100};

bool ask_wanted() {
    const std::string asked = jit_cache::trust::environment("KILN_PROGRESS");
    if (!asked.empty() && asked != "0" && asked != "1") complain("KILN_PROGRESS=" + asked + " is neither 0 nor 1");
    return asked.empty() ? ::isatty(STDERR_FILENO) == 1 : asked != "0";
}

void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

progress_line::progress_line(std::string_view doing) : doing_(doing), is_wanted_(ask_wanted()) {}

progress_line::~progress_line() {
    if (is_shown_) write(take_line_away);
}

void progress_line::show(std::uint64_t done, std::uint64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_wanted_ || (is_shown_ && done < total && now - last_ < least_pause)) return;
    write(fmt::format("{}kiln-cache: {} {} of {}", is_shown_ ? take_line_away : "", doing_, done, total));
    is_shown_ = true;
    last_ = now;
}

}  // namespace kiln_cache
