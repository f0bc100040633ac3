// kiln-cache/folder_words: a line for each of the first files, then how many more there are.
#include "folder_words.hpp"

#include "text.hpp"

#include <jit_cache/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace kiln_cache {

using jit_cache::printable;

namespace {

constexpr std::size_t most_broken_named = 10;

}  // namespace

std::string scan_trouble(const request& asked, const jit_cache::scan_result& scanned) {
    if (scanned.trouble.empty()) return {};
    return fmt::format("{}: {}", printable(asked.folder.path.native()), printable(scanned.trouble));
}

const char* fault_name(jit_cache::file_fault fault) {
    switch (fault) {
        case jit_cache::file_fault::damaged: return "damaged";
        case jit_cache::file_fault::foreign: return "foreign";
        case jit_cache::file_fault::unreadable: break;
    }
    return "unreadable";
}

json broken_json(const std::vector<jit_cache::broken_file>& broken) {
    json out = json::array();
    for (const jit_cache::broken_file& each : broken)
        out.push_back(
            {{"file", printable(each.file.native())}, {"fault", fault_name(each.fault)}, {"why", printable(each.why)}});
    return out;
}

void complain_of(const std::vector<jit_cache::broken_file>& broken) {
    const std::size_t named = std::min(broken.size(), most_broken_named);
    for (std::size_t i = 0; i < named; ++i)
        complain(fmt::format("{}: {}", printable(broken[i].file.native()), printable(broken[i].why)));
    if (broken.size() > named)
        complain(fmt::format("and {} more; 'kiln-cache verify' names them all", broken.size() - named));
}

int complain_of(const request& asked, const jit_cache::scan_result& scanned) {
    if (const std::string why = scan_trouble(asked, scanned); !why.empty()) complain(why);
    complain_of(scanned.broken);
    return scanned.trouble.empty() && scanned.broken.empty() ? fine : found_wanting;
}

}  // namespace kiln_cache
