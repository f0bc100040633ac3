// kiln/process/messages: what kiln says on standard error, which is somebody else's. Warnings once each, news only for who
// asked (KILN_LOG=info), nothing for who wants nothing (KILN_LOG=off). One line each, without bytes that move a cursor.
// in: text   out: lines on standard error   knows nothing of: who speaks
#pragma once

#include <string>
#include <string_view>

namespace kiln::process {

/// Each distinct message once per process.
void warn(std::string_view message);

/// Whether news are wanted: ask before putting text together.
[[nodiscard]] bool informs() noexcept;
/// Nothing where they are not.
void inform(std::string_view message);

}  // namespace kiln::process
