#include <streamed/mapped_file.hpp>

#include <text/format.hpp>

#include <kiln/error.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace kiln::streamed {

namespace {

[[noreturn]] void fail(const char* doing, const std::string& path, int trouble) {
    throw file_error(text::format("kiln: cannot {} {}: {}", doing, path, std::generic_category().message(trouble)));
}

compile::descriptor opened(const std::string& path, int flags, const char* doing) {
    constexpr mode_t as_umask_says = 0666;
    int number = -1;
    do number = ::open(path.c_str(), flags | O_CLOEXEC, as_umask_says);
    while (number < 0 && errno == EINTR);
    if (number < 0) fail(doing, path, errno);
    return compile::descriptor(number);
}

/// A page of a full disk could be written to by nobody: SIGBUS. 0, or what kept the file from having all of its room; where the file system
/// cannot say, it is 0.
int take_room(int file, std::int64_t bytes) {
    if (bytes == 0 || ::fallocate(file, 0, 0, bytes) == 0) return 0;
    return errno == ENOSPC || errno == EFBIG || errno == EDQUOT ? errno : 0;
}

struct page_range {
    std::byte* begin;
    std::size_t bytes;
};

/// `inside`: whole pages alone; else all that the bytes touch.
page_range pages_of(const std::byte* begin, const std::byte* end, bool inside) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto down = [](std::uintptr_t at) { return at / page * page; };
    const auto first = reinterpret_cast<std::uintptr_t>(begin);
    const auto last = reinterpret_cast<std::uintptr_t>(end);
    const std::uintptr_t from = inside ? down(first + page - 1) : down(first);
    const std::uintptr_t to = inside ? down(last) : down(last + page - 1);
    return {reinterpret_cast<std::byte*>(from), to > from ? to - from : 0};
}

}  // namespace

mapped_file::mapped_file(const std::string& path, compile::descriptor file, std::int64_t size, bool is_writable)
    : path_(path), file_(std::move(file)), size_(size), is_writable_(is_writable) {
    if (size == 0) return;
    void* const made = ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | (is_writable ? PROT_WRITE : 0),
                              MAP_SHARED, file_.get(), 0);
    if (made == MAP_FAILED) fail("map", path_, errno);
    data_ = static_cast<std::byte*>(made);
    ::madvise(made, static_cast<std::size_t>(size), MADV_SEQUENTIAL);
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      is_writable_(other.is_writable_) {}

mapped_file::~mapped_file() {
    if (data_) ::munmap(data_, static_cast<std::size_t>(size_));
}

mapped_file mapped_file::there_already(const std::string& path, bool is_writable) {
    compile::descriptor file = opened(path, is_writable ? O_RDWR : O_RDONLY, is_writable ? "open for writing" : "open");
    struct stat about {};
    if (::fstat(file.get(), &about) != 0) fail("read", path, errno);
    if (S_ISDIR(about.st_mode)) throw file_error(text::format("kiln: {} is a folder", path));
    if (!S_ISREG(about.st_mode))
        throw file_error(text::format("kiln: {} is no regular file, and cannot be mapped; load_npy reads it", path));
    if (is_writable)
        if (const int trouble = take_room(file.get(), about.st_size)) fail("write", path, trouble);
    return mapped_file(path, std::move(file), about.st_size, is_writable);
}

mapped_file mapped_file::open(const std::string& path) { return there_already(path, /*is_writable=*/false); }

mapped_file mapped_file::edit(const std::string& path) { return there_already(path, /*is_writable=*/true); }

mapped_file mapped_file::create(const std::string& path, std::int64_t bytes) {
    struct stat about {};
    const bool is_there = ::stat(path.c_str(), &about) == 0;
    if (is_there && S_ISDIR(about.st_mode)) throw file_error(text::format("kiln: {} is a folder", path));
    if (is_there && !S_ISREG(about.st_mode))
        throw file_error(
            text::format("kiln: {} is no regular file, and cannot be mapped; save_npy writes to it", path));
    // Under another name until it has all of its room: one that has none leaves what was there. Whoever mapped the file before keeps it.
    static std::atomic<unsigned> serial;
    const std::string temporary = text::format("{}.tmp-{}-{}", path, ::getpid(), serial++);
    compile::descriptor file = opened(temporary, O_RDWR | O_CREAT | O_EXCL, "create");
    const auto give_up = [&](int trouble) {
        ::unlink(temporary.c_str());
        fail("write", path, trouble);
    };
    if (::ftruncate(file.get(), bytes) != 0) give_up(errno);
    if (const int trouble = take_room(file.get(), bytes)) give_up(trouble);
    if (is_there) (void)::fchmod(file.get(), about.st_mode & 07777);  // who may read it does not change
    if (::rename(temporary.c_str(), path.c_str()) != 0) give_up(errno);
    return mapped_file(path, std::move(file), bytes, /*is_writable=*/true);
}

void mapped_file::check() const {
    struct stat about {};
    if (::fstat(file_.get(), &about) != 0) fail("read", path_, errno);
    if (about.st_size < size_)
        throw file_error(text::format("kiln: {} was truncated while it was in use: it had {} bytes, and {} are there",
                                      path_, size_, static_cast<std::int64_t>(about.st_size)));
}

bool mapped_file::is_same_file(const mapped_file& other) const noexcept {
    struct stat one {};
    struct stat two {};
    return ::fstat(file_.get(), &one) == 0 && ::fstat(other.file_.get(), &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
}

void mapped_file::expect(const std::byte* begin, const std::byte* end) const noexcept {
    if (const page_range pages = pages_of(begin, end, /*inside=*/false); pages.bytes)
        ::madvise(pages.begin, pages.bytes, MADV_WILLNEED);
}

void mapped_file::release(const std::byte* begin, const std::byte* end) const noexcept {
    const page_range pages = pages_of(begin, end, /*inside=*/false);
    if (!pages.bytes) return;
    // Written pages begin their way to the disk now, so that they do not pile up in the machine's memory.
    if (is_writable_)
        ::sync_file_range(file_.get(), pages.begin - data_, static_cast<off64_t>(pages.bytes), SYNC_FILE_RANGE_WRITE);
    ::madvise(pages.begin, pages.bytes, MADV_DONTNEED);
}

void mapped_file::flush() const {
    if (data_) check();
    if (data_ && is_writable_ && ::msync(data_, static_cast<std::size_t>(size_), MS_SYNC) != 0)
        fail("write", path_, errno);
}

}  // namespace kiln::streamed
