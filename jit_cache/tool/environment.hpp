// kiln-cache/environment: the variables that kiln reads, and what they are set to.
// in: environment_table.def, the environment   out: names, values, what is wrong with them   knows nothing of: folders
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln_cache {

struct setting {
    std::string_view name;
    std::string_view takes;
    std::string_view unset;  // what holds then; with the backticks of README
    std::string_view meaning;
};

[[nodiscard]] const std::vector<setting>& all_settings();

/// Why the value is none that the setting takes: "is not one of: cpu, cuda, cuda:N"; empty: it is one.
[[nodiscard]] std::string why_not_taken(const setting& one, std::string_view value);

/// Names of variables that begin with KILN_ and are none of these, as KILN_CACHEDIR is: what is set so has no effect.
[[nodiscard]] std::vector<std::string> unread_variables();

[[nodiscard]] std::string without_backticks(std::string_view text);

/// The table for --help.
[[nodiscard]] std::string environment_help();

}  // namespace kiln_cache
