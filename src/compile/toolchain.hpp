// kiln/compile/toolchain: source to binary. NVRTC makes cubins, the host compiler shared objects.
// in: source text   out: a binary and what is known of it   knows nothing of: the cache
#pragma once

#include <emit/source.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::compile {

struct binary {
    std::string bytes;
    std::vector<std::pair<std::string, std::string>> facts;  // "registers", "spill_bytes", ... where the compiler says
    std::vector<std::pair<std::string, std::string>> extras = {};  // long texts: "ptx"
};

/// What a compiler may do to the arithmetic of a kernel: each more than the one before it.
enum class arithmetic : std::uint8_t {
    exact,       // every operation rounds by itself
    contracted,  // a product and a sum may round once
    fast,        // and what options.hpp says of fast_math
};
inline constexpr int arithmetic_count = 3;

class toolchain {
public:
    virtual ~toolchain() = default;

    /// "sm_90"; "x86-64" with the CPU features that were compiled for. Part of the key.
    [[nodiscard]] virtual const std::string& target() const = 0;
    /// Which compiler it is, by what its files hold and not by where they lie: for people up to " [", then a hash. Part of
    /// the key. "NVRTC 13.0 [3f2a...]", "g++ 12.2.0 (Debian 12.2.0-14+deb12u1) [77b0...]".
    [[nodiscard]] virtual const std::string& fingerprint() const = 0;
    /// The options asked for, as one line. Part of the key.
    [[nodiscard]] virtual const std::string& options(arithmetic how = arithmetic::exact) const = 0;
    /// Whether there is a compiler: without one, what was compiled elsewhere still serves.
    [[nodiscard]] virtual bool is_there() const { return true; }
    /// What must happen once per process before the first compile (opening NVRTC); its cost has a row of its own.
    virtual void open() = 0;
    /// Throws compile_error with the numbered source and the whole log; compiler_failure (compiler_failure.hpp) where the
    /// source is not at fault. Thread-safe.
    virtual binary compile(const emit::source& kernel, arithmetic how = arithmetic::exact) = 0;
};

/// "function logaddexp, line 1: ", "header vectors.h, line 3: ": where a compiler's complaint is, when `file` is the body of a
/// user's function or one of its headers (which stand in kernels behind a #line of their names); empty for any other file.
/// Of `line_text`, what stands there.
struct function_place {
    std::string words;
    std::string line_text;
};
function_place place_in_function(const std::string& kernel_text, std::string_view file, int line);

/// What to do about a kernel that a compiler finds wrong; nothing to add where a function or header of the user's stands in it.
std::string advice_on_rejected(const emit::source& kernel);

/// Each line with its number, for compile_error.
std::string number_lines(const std::string& text);

}  // namespace kiln::compile
