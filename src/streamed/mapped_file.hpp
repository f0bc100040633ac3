// kiln/streamed/mapped_file: a file as memory. It may be larger than the machine's: pages come when they are read, and go when told to.
// in: a path   out: bytes; file_error with the path and the system's word   knows nothing of: what is in them
#pragma once

#include <compile/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln::streamed {

class mapped_file {
public:
    /// All of it, to be read. Throws file_error, also for what has no size (a pipe).
    static mapped_file open(const std::string& path);
    /// The same, to be written, too, in its place and its length. Throws file_error, also for one that may not be written.
    static mapped_file edit(const std::string& path);
    /// A new one of so many bytes, all 0, in place of any before, to be written. Throws file_error; the room is taken where the file
    /// system can, so that a full disk is found now.
    static mapped_file create(const std::string& path, std::int64_t bytes);

    mapped_file(mapped_file&& other) noexcept;
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] bool is_writable() const noexcept { return is_writable_; }
    /// Of two mappings.
    [[nodiscard]] bool is_same_file(const mapped_file& other) const noexcept;

    /// Throws file_error where the file has become shorter since: its pages could not be read.
    void check() const;
    /// Bytes [begin, end) will be read soon.
    void expect(const std::byte* begin, const std::byte* end) const noexcept;
    /// They are not needed in memory any more; what was written there stays written.
    void release(const std::byte* begin, const std::byte* end) const noexcept;
    /// Waits until what was written is on the disk. Throws file_error, also where the file has become shorter: part of it is lost.
    void flush() const;

private:
    static mapped_file there_already(const std::string& path, bool is_writable);
    mapped_file(const std::string& path, compile::descriptor file, std::int64_t size, bool is_writable);

    std::string path_;
    compile::descriptor file_;
    std::byte* data_ = nullptr;  // nullptr: it is empty
    std::int64_t size_ = 0;
    bool is_writable_ = false;
};

}  // namespace kiln::streamed
