// kiln/compile/compiler_failure: a compiler that did not do its work, told from one that found the source wrong.
#pragma once

#include <kiln/error.hpp>

#include <cerrno>
#include <cstdint>
#include <string>
#include <utility>

namespace kiln::compile {

/// Of errors that say nothing about a file or a program: descriptors, memory or processes have run out for a while.
[[nodiscard]] constexpr bool is_passing(int error) noexcept {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN || error == ENOBUFS;
}

enum class lasting : std::uint8_t { for_good, for_now };

/// It hung, crashed, gave something that cannot be run, found no room. Who can do without a compiler does.
class compiler_failure : public compile_error {
public:
    /// `reason`: "/usr/bin/c++: it did not end within 60 s"; `kernel`: whose compile it was, its numbered source and the
    /// log. For now: the next call may find it otherwise.
    compiler_failure(std::string reason, lasting how, const std::string& kernel, std::string numbered_source,
                     std::string log)
        : compile_error("kiln: compile: " + kernel + reason + "; KILN_CXX names another compiler",
                        std::move(numbered_source), std::move(log)),
          reason_(std::move(reason)),
          lasting_(how) {}

    /// The same for every kernel that meets the same trouble: said once.
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
    [[nodiscard]] bool is_for_now() const noexcept { return lasting_ == lasting::for_now; }

private:
    std::string reason_;
    lasting lasting_;
};

}  // namespace kiln::compile
