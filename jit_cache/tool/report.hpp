// kiln-cache/report: what the doctor found, in a form for people and one for programs.
// in: findings   out: sections of lines, JSON, what is wrong   knows nothing of: how anything is found
#pragma once

#include "output.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln_cache {

class report {
public:
    explicit report(json head) : data_(std::move(head)) {}

    /// A line for people; `text` is printable.
    void line(std::string_view name, std::string text) { lines_.push_back({std::string(name), std::move(text)}); }
    /// An empty line before what follows.
    void gap() { lines_.push_back({}); }
    /// Something that has to be put right: it is said at the end, too, and makes the exit code 1.
    void wrong(std::string what) { problems_.push_back(std::move(what)); }

    /// For programs.
    json& data() { return data_; }

    void print(bool as_json);
    [[nodiscard]] int code() const { return problems_.empty() ? fine : found_wanting; }

private:
    json data_;
    std::vector<std::pair<std::string, std::string>> lines_;
    std::vector<std::string> problems_;
};

}  // namespace kiln_cache
