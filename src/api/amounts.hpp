// kiln/api/amounts: times and sizes as tables and advice have them.
#pragma once

#include <cstdint>
#include <string>

namespace kiln::inline v0_1::detail {

/// "1.23 us", "4.56 ms", "7.890 s".
std::string time_text(double ns);

/// "1234 B", "12.3 kB", "45.6 MB", "78.9 GB", of powers of ten.
std::string bytes_text(std::int64_t bytes);

}  // namespace kiln::inline v0_1::detail
