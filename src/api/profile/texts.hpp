// kiln/api/profile/texts: what the files of a profile have in common.
#pragma once

#include <string>
#include <string_view>

namespace kiln::inline v0_1::detail {

/// With its quotation marks. Bytes that are no UTF-8 become U+FFFD each: JSON has no others.
std::string json_text(std::string_view text);

/// Throws error, which names the function `who`, where there is no name.
void require_name(const std::string& path, const char* who);

/// Beside it, then in its place: who reads meanwhile sees one or the other. Throws error where it cannot be written.
void write_whole(const std::string& path, const std::string& text);

}  // namespace kiln::inline v0_1::detail
