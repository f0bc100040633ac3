// kiln/process/messages: KILN_LOG, read once; a set of what was said.
#include <process/messages.hpp>

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>
#include <jit_cache/write_signals.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <unordered_set>

namespace kiln::process {

namespace {

enum class loudness { off, warnings, news, details };

// A program that goes through thousands of damaged files would else fill its memory with what was said about them.
constexpr std::size_t most_messages = 1'000;

struct speaker {
    loudness wanted = loudness::warnings;
    std::mutex mutex;
    std::unordered_set<std::string> said;

    speaker() {
        const std::string asked = jit_cache::trust::environment("KILN_LOG");
        if (asked == "off") wanted = loudness::off;
        else if (asked == "info") wanted = loudness::news;
        else if (asked == "debug") wanted = loudness::details;
        else if (!asked.empty() && asked != "warning")
            write_line("KILN_LOG=" + asked + " is none of off, warning (the default), info and debug");
    }

    /// In one call, so that lines of several threads and processes stay apart.
    static void write_line(std::string_view message) {
        if (message.starts_with("kiln: ")) message.remove_prefix(6);  // an error's, warned of
        write((is_line_shown.exchange(false) ? take_line_away : "") + ("kiln: " + jit_cache::printable(message)) +
              "\n");
    }

    static void show_line(std::string_view message) {
        const bool was_shown = is_line_shown.exchange(!message.empty());
        std::string text = was_shown ? take_line_away : "";
        // A line that is wider than the terminal would not go away whole.
        if (!message.empty()) text += "kiln: " + jit_cache::printable(message.substr(0, 72));
        if (!text.empty()) write(text);
    }

private:
    /// To its beginning, and all behind it.
    static constexpr const char* take_line_away = "\r\x1b[K";
    static std::atomic<bool> is_line_shown;

    static void write(const std::string& text) {
        // Standard error may be a pipe that nobody reads any more.
        const jit_cache::write_signals_held_back held_back;
        std::string_view rest = text;
        while (!rest.empty()) {
            const ssize_t count = ::write(STDERR_FILENO, rest.data(), rest.size());
            if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
            else if (errno != EINTR) return;
        }
    }
};

constinit std::atomic<bool> speaker::is_line_shown{false};

constinit immortal<speaker> voice;

const fork_participant held_messages{fork_order::messages, [] { voice().mutex.lock(); },
                                     [] { voice().mutex.unlock(); }};

}  // namespace

void warn(std::string_view message) {
    speaker& mine = voice();
    if (mine.wanted == loudness::off) return;
    {
        const std::lock_guard lock(mine.mutex);
        if (mine.said.size() >= most_messages || !mine.said.emplace(message).second) return;
    }
    speaker::write_line(message);
}

bool informs() noexcept { return voice().wanted >= loudness::news; }

bool informs_in_detail() noexcept { return voice().wanted == loudness::details; }

void inform(std::string_view message) {
    if (informs()) speaker::write_line(message);
}

void show_line(std::string_view message) {
    if (voice().wanted != loudness::off) speaker::show_line(message);
}

}  // namespace kiln::process
