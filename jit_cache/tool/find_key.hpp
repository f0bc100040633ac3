// kiln-cache/find_key: from what a person types as KEY to an entry.
// in: a folder, a prefix   out: one entry, or candidates and words for why it is not one   knows nothing of: commands
#pragma once

#include "entry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace kiln_cache {

struct found_key {
    std::optional<entry> one;
    std::vector<entry> candidates;                // where it is not one: those it may have meant
    std::vector<jit_cache::broken_file> damaged;  // entries of such names that cannot be read
    std::string trouble;                          // words; empty when there is one
};

/// The entry whose key begins with `prefix`. Where there are several, they are the candidates; where there is none, those
/// whose label, expression or kernel holds what was typed are, or those whose keys begin most alike.
[[nodiscard]] found_key find_key(const request& asked, const std::string& prefix);

/// Prints the trouble and the candidates with their titles; the exit code.
int fail_for_key(const request& asked, const found_key& found);

}  // namespace kiln_cache
