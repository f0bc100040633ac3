// kiln/compile/host_compiler: the machine's C++ compiler as a toolchain: source to the bytes of a shared object.
// in: source text   out: a shared object, in memory   knows nothing of: loading it, the cache
#pragma once

#include <compile/toolchain.hpp>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace kiln::compile {

struct compiler_identity;
class work_folder;
struct process_options;
struct process_result;

class host_toolchain final : public toolchain {
public:
    /// KILN_CXX when set; else CXX, c++, g++ and clang++, the first that PATH has and that is trusted. KILN_CXX and CXX hold
    /// a command as a shell reads it, or are a program's path as a whole. Where there is none, and in a process with raised
    /// privileges, one that is not there; what was refused, and why, is said. Starts nothing.
    static std::unique_ptr<host_toolchain> find();
    /// The names that find() tries, for the message that none is there.
    static std::string what_was_looked_for();
    ~host_toolchain() override;

    [[nodiscard]] const std::string& target() const override;
    /// "g++ 12.2.0 (Debian 12.2.0-14+deb12u1) [3f2a...]"; "no C++ compiler". Asks the compiler at the first call, for at
    /// most 10 s; see compiler_identity.hpp. Throws compiler_failure where it cannot be asked for now.
    [[nodiscard]] const std::string& fingerprint() const override;
    /// Begins with the options that stand in KILN_CXX or CXX. What stands before them ("ccache g++") is how the compiler
    /// is reached: the fingerprint has what comes of it.
    [[nodiscard]] const std::string& options(arithmetic how = arithmetic::exact) const override {
        return options_[static_cast<int>(how)];
    }
    [[nodiscard]] bool is_there() const override { return !program_.empty(); }
    void open() override {}
    /// One process, and for a small kernel 19 to 40 ms of a busy core (g++ 12 on an EPYC), of which 10 are the start of the
    /// compiler proper; <cmath> alone would add 120, so kernels include nothing. It works in a private folder, which is
    /// gone again, sees nothing of the environment that is not in its identity, and has KILN_COMPILE_TIMEOUT seconds (60).
    /// Throws compiler_failure where not the source is at fault; after it did not end in time, at once.
    binary compile(const emit::source& kernel, arithmetic how = arithmetic::exact) override;

private:
    struct asked;  // what it said that it is
    struct attempt;

    host_toolchain(std::string program, std::vector<std::string> leading_arguments);

    [[nodiscard]] const asked& identity() const;
    [[nodiscard]] std::unique_ptr<asked> ask() const;
    void require_same_compiler(const asked& known, const emit::source& kernel) const;
    [[nodiscard]] process_options options_in(const work_folder& folder, int seconds) const;
    [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& options,
                                                   std::initializer_list<const char*> files) const;
    [[nodiscard]] std::vector<std::string> linking_command(std::vector<std::string> options, const char* from) const;
    [[nodiscard]] attempt compile_in(const work_folder& folder, const emit::source& kernel, arithmetic how,
                                     const compiler_identity& by) const;
    bool succeeds(const std::vector<std::string>& words, const work_folder& folder, const emit::source& kernel,
                  attempt& made) const;
    bool read_object(const work_folder& folder, const char* name, const emit::source& kernel, attempt& made) const;
    static bool has_read_nothing_else(const work_folder& folder, bool lists_assembler, attempt& made);
    bool link(const work_folder& folder, const emit::source& kernel, arithmetic how, attempt& made) const;
    [[noreturn]] void fail(const emit::source& kernel, const std::string& reason, std::string log,
                           bool is_for_now = false) const;

    std::string program_;  // empty: there is none
    std::vector<std::string> leading_arguments_;
    std::string search_path_;
    int time_limit_s_;
    std::string options_[arithmetic_count];
    mutable std::atomic<asked*> identity_{nullptr};
    mutable std::atomic<asked*> earlier_{nullptr};  // of a compiler that was replaced since: its texts may be in use
    std::atomic<bool> hangs_{false};
};

}  // namespace kiln::compile
