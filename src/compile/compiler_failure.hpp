// kiln/compile/compiler_failure: a compiler that did not do its work, told from one that found the source wrong.
#pragma once

#include <kiln/error.hpp>

#include <string>
#include <utility>

namespace kiln::compile {

/// It hung, crashed, gave something that cannot be run, found no room. Who can do without a compiler does.
class compiler_failure : public compile_error {
public:
    /// `reason`: "/usr/bin/c++ did not end within 60 s"; `kernel`: whose compile it was, its numbered source and the log.
    compiler_failure(std::string reason, const std::string& kernel, std::string numbered_source, std::string log)
        : compile_error("compile: " + kernel + ": " + reason +
                            "; KILN_CXX names another compiler, KILN_CPU=interpret "
                            "does without one",
                        std::move(numbered_source), std::move(log)),
          reason_(std::move(reason)) {}

    /// The same for every kernel that meets the same trouble: said once.
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

private:
    std::string reason_;
};

}  // namespace kiln::compile
