// kiln-cache/report: the lines, then what is wrong.
#include "report.hpp"

#include <algorithm>

namespace kiln_cache {

void report::print(bool as_json) {
    if (as_json) {
        data_["problems"] = problems_;
        print_json(data_);
        return;
    }
    std::size_t name_columns = 0;
    for (const auto& [name, text] : lines_) name_columns = std::max(name_columns, name.size() + 2);
    for (const auto& [name, text] : lines_) {
        if (name.empty() && text.empty()) {
            kiln_cache::print("\n");
        } else {
            print_field(name, text, name_columns);
        }
    }
    kiln_cache::print("\n");
    for (const std::string& each : problems_) kiln_cache::print("wrong: " + each + "\n");
    if (problems_.empty()) kiln_cache::print("nothing is wrong\n");
}

}  // namespace kiln_cache
