// kiln/error: what kiln throws. Each message says what was wrong, where, and what to do next.
#pragma once

#include <kiln/export.hpp>

#include <stdexcept>
#include <string>

namespace kiln::inline v0_1 {

// Their destructors are the library's, and so is the one type_info of each: what one shared library throws another catches.

/// The base of everything that kiln throws.
class KILN_API error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    ~error() override;
};

/// Shapes that do not match (both are printed), a rank past 8, a negative extent.
class KILN_API shape_error : public error {
public:
    using error::error;
    ~shape_error() override;
};

/// A scalar that the array's type cannot hold, an array without a value.
class KILN_API type_error : public error {
public:
    using error::error;
    ~type_error() override;
};

/// A generated kernel that the compiler rejected, or a compiler that is not there.
class KILN_API compile_error : public error {
public:
    compile_error(const std::string& message, std::string numbered_source, std::string compiler_log)
        : error(message), source_(std::move(numbered_source)), log_(std::move(compiler_log)) {}
    ~compile_error() override;

    /// The kernel, each line with its number; empty when no kernel was at fault.
    [[nodiscard]] const std::string& source() const noexcept { return source_; }
    /// All that the compiler said.
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

private:
    std::string source_;
    std::string log_;
};

/// The device is not there, or refused: CUDA's own name for the trouble is in the message.
class KILN_API device_error : public error {
public:
    using error::error;
    ~device_error() override;
};

/// A file that cannot be read or written, or does not hold what it should: its path and the system's words are in the message.
class KILN_API file_error : public error {
public:
    using error::error;
    ~file_error() override;
};

/// Bytes asked for, bytes free and bytes in live arrays are in the message.
class KILN_API out_of_memory : public device_error {
public:
    using device_error::device_error;
    ~out_of_memory() override;
};

}  // namespace kiln::inline v0_1
