// kiln/api/whole_file: files that are read to the byte, and files that appear when they are whole.
// in: a path   out: bytes; file_error with the path and the system's word   knows nothing of: what is in them
#pragma once

#include <compile/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::inline v0_1::detail {

/// A link stays one: what it leads to is written, whether it is there yet or not.
std::string end_of_links(const std::string& path);

class input_file {
public:
    /// Throws file_error.
    explicit input_file(const std::string& path);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Whether its size is known: a pipe's is not.
    [[nodiscard]] bool has_size() const noexcept { return size_ >= 0; }
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }

    /// The next bytes. Throws file_error where there are fewer.
    void read(void* to, std::size_t bytes) const;
    /// The next bytes, or as many as there are: returns how many.
    std::size_t read_up_to(void* to, std::size_t bytes) const;

private:
    std::string path_;
    compile::descriptor file_;
    std::int64_t size_ = -1;
};

/// Written without a name (under another one beside its own, where the file system knows no files without), and given its own when it is
/// published; if that does not happen, nothing is left of it. What `path` leads to is replaced, not the link; a device or a
/// pipe is written to as it stands.
class output_file {
public:
    /// Throws file_error.
    explicit output_file(const std::string& path);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    /// Takes the room for so many bytes, where the file system can: a full disk is found before the work. Throws file_error.
    void expect(std::size_t bytes);
    void write(const void* from, std::size_t bytes);
    void publish();

private:
    [[noreturn]] void fail(const char* doing, int trouble) const;

    std::string path_;
    std::string target_;     // what path_ leads to
    std::string temporary_;  // the name that comes before its own; empty: it is written to as it stands
    bool has_name_ = false;  // temporary_
    compile::descriptor file_;
};

}  // namespace kiln::inline v0_1::detail
