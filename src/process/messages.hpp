// kiln/process/messages: what kiln says on standard error, which is somebody else's. Warnings once each, news only for who
// asked (KILN_LOG=info, or debug for every step on the way to a kernel), nothing for who wants nothing (KILN_LOG=off). One line
// each, without bytes that move a cursor.
// in: text   out: lines on standard error   knows nothing of: who speaks
#pragma once

#include <string>
#include <string_view>

namespace kiln::process {

/// Each distinct message once per process.
void warn(std::string_view message);

/// Whether news are wanted: ask before putting text together.
[[nodiscard]] bool informs() noexcept;
/// Whether all that leads to them is, too.
[[nodiscard]] bool informs_in_detail() noexcept;
/// Nothing where they are not.
void inform(std::string_view message);

/// A line that stays until the next one, or until something else is said; an empty one takes it away. KILN_LOG=off: none.
void show_line(std::string_view message);

}  // namespace kiln::process
