// kiln-cache/program: finds other people's programs, and runs one without a shell.
// in: names, places, words   out: a path, or where it was looked for; what it printed   knows nothing of: what for
#pragma once

#include <jit_cache/trust.hpp>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace kiln_cache {

/// A folder in which something may be, and how it came to be looked at.
struct place {
    std::string folder;
    jit_cache::trust::chosen_by how = jit_cache::trust::chosen_by::search;
};

/// The absolute folders of PATH: an empty part and "." mean wherever one happens to be.
[[nodiscard]] std::vector<place> places_in_path();

/// CUDA_HOME, CUDA_PATH, /usr/local/cuda and /usr/local/cuda-* (the newest first), `below` them each.
[[nodiscard]] std::vector<place> places_of_cuda(std::string_view below);

/// "a:b" as its parts; empty ones are dropped.
[[nodiscard]] std::vector<std::string> split_folders(std::string_view list);

/// What glob(3) finds, in its order.
[[nodiscard]] std::vector<std::string> matching_paths(const std::string& pattern);

[[nodiscard]] bool is_regular_file(const std::string& path);

struct found_program {
    std::string path;     // empty: none that may be run
    std::string refused;  // "path: why", of the first that was passed over: not executable, or not trusted
};

/// The file at that path, if it is executable and trust::distrust_program() lets it pass. Neither path nor refused: there is
/// no such file.
[[nodiscard]] found_program try_program(const std::string& path, jit_cache::trust::chosen_by how);

/// The first of the places that has such a file of that name.
[[nodiscard]] found_program find_program(std::string_view name, const std::vector<place>& places);

/// SIGINT, SIGTERM and SIGHUP reach this process only at the end of the scope, so that what was made for a program can be
/// taken away again. From a terminal they reach the program at once, which ends the wait for it.
class signals_held_back {
public:
    signals_held_back();
    ~signals_held_back();
    signals_held_back(const signals_held_back&) = delete;
    signals_held_back& operator=(const signals_held_back&) = delete;

private:
    ::sigset_t before_{};
};

struct program_result {
    bool ended_well = false;
    std::string output;
    std::string trouble;  // why it did not: its exit status and what it said first, or why it was not started
};

/// Waits for it.
[[nodiscard]] program_result run_program(const std::vector<std::string>& words);

}  // namespace kiln_cache
