// jit_cache/trust: the one rule of who may decide what code this process runs. Every variable of the environment, every
// folder and every program or library that a JIT reads, loads or starts is asked for here, and nowhere else.
//
// The rule: root, the effective user and whoever already runs code in this process (the owners of its program file and of
// its C library) may decide what runs as the effective user; nobody else may have made it or be able to change it.
// in: names, paths, open files   out: values, or why not   knows nothing of: stores, compilers
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct stat;

namespace jit_cache::trust {

/// Whether the process has rights that its caller has not: set-user-ID, set-group-ID, file capabilities (AT_SECURE). Its
/// environment, PATH among it, is then somebody else's, and chooses nothing.
[[nodiscard]] bool has_raised_privileges() noexcept;

/// The variable's value; empty where it is unset or empty, and always where the process has raised privileges.
[[nodiscard]] std::string environment(const char* name);

/// Whether the variable has a value that environment() does not give: for who says so.
[[nodiscard]] bool is_ignored(const char* name);

enum class owners : std::uint8_t {
    user,         // a store's own folder: nobody but the effective user
    user_or_root  // what an administrator may have provided as well
};

/// Why what fstat() said of an open file or folder is not trusted: "owner uid 1001, mode 0777, but ..."; empty: it is.
/// Writable by group or others is never trusted.
[[nodiscard]] std::string distrust(const struct ::stat& status, owners allowed);

enum class chosen_by : std::uint8_t {
    name,   // by its path, in a variable meant for that (KILN_CXX=/opt/gcc/bin/g++): whose it is, the user answers for
    search  // in PATH or the like
};

/// Why the program or library at `path` must not be run: it, what it is a symbolic link to, or a folder on the way there
/// can be changed by others, or, where a search found it, belongs to somebody who is not trusted. Empty: it may be.
/// A folder that everybody may write to passes if it has the sticky bit (what is in it only its owner can move); what is
/// below it must belong to somebody who is trusted, however it was chosen.
/// Group-writable passes where root owns it (an administrator's choice: /usr/local of older Debians). Costs an lstat() for
/// each part of the path.
[[nodiscard]] std::string distrust_program(const std::string& path, chosen_by how);

/// Why nothing private may be written below this folder, which others may share: not a folder; others may write to it and
/// move what is in it (no sticky bit). Empty: a folder made in it stays where it is.
[[nodiscard]] std::string distrust_shared_folder(const std::string& path);

/// "owner uid 1001, mode 0777".
[[nodiscard]] std::string owner_and_mode(const struct ::stat& status);

}  // namespace jit_cache::trust
