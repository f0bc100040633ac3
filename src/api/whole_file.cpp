#include <api/whole_file.hpp>

#include <text/format.hpp>

#include <kiln/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace kiln::inline v0_1::detail {

namespace {

std::string words_of(int trouble) { return std::generic_category().message(trouble); }

/// Of the system's calls a signal may end: again until it is done.
template <class Call>
auto uninterrupted(Call&& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

constexpr mode_t as_umask_says = 0666;

}  // namespace

std::string end_of_links(const std::string& path) {
    constexpr int most_links = 40;  // as Linux follows
    std::filesystem::path out = path;
    std::error_code none;
    for (int i = 0; i < most_links && std::filesystem::is_symlink(out, none); ++i) {
        const std::filesystem::path led = std::filesystem::read_symlink(out, none);
        if (none) break;
        out = out.parent_path() / led;  // of an absolute one, that one
    }
    return out.string();
}

input_file::input_file(const std::string& path) : path_(path) {
    file_ = compile::descriptor(
        static_cast<int>(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); })));
    if (!file_) throw file_error(text::format("kiln: cannot open {}: {}", path, words_of(errno)));
    struct stat about {};
    if (::fstat(file_.get(), &about) != 0)
        throw file_error(text::format("kiln: cannot read {}: {}", path, words_of(errno)));
    if (S_ISDIR(about.st_mode)) throw file_error(text::format("kiln: {} is a folder", path));
    if (S_ISREG(about.st_mode)) size_ = about.st_size;
}

std::size_t input_file::read_up_to(void* to, std::size_t bytes) const {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t now =
            uninterrupted([&] { return ::read(file_.get(), static_cast<std::byte*>(to) + done, bytes - done); });
        if (now < 0) throw file_error(text::format("kiln: cannot read {}: {}", path_, words_of(errno)));
        if (now == 0) break;
        done += static_cast<std::size_t>(now);
    }
    return done;
}

void input_file::read(void* to, std::size_t bytes) const {
    if (const std::size_t got = read_up_to(to, bytes); got != bytes)
        throw file_error(text::format("kiln: {} is truncated: it ends {} bytes too early", path_, bytes - got));
}

namespace {

/// What leads to an open file that has no name.
std::string path_of(const compile::descriptor& file) { return text::format("/proc/self/fd/{}", file.get()); }

/// A file without a name in the folder of `target`: whatever ends this process, it goes with it. None where the file system has no such
/// files, or where none could be given a name later.
compile::descriptor nameless_beside(const std::string& target) {
    if (::access("/proc/self/fd", X_OK) != 0) return {};
    const std::size_t slash = target.rfind('/');
    const std::string folder = slash == target.npos ? "." : target.substr(0, slash + 1);
    return compile::descriptor(static_cast<int>(
        uninterrupted([&] { return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, as_umask_says); })));
}

}  // namespace

output_file::output_file(const std::string& path) : path_(path), target_(end_of_links(path)) {
    struct stat about {};
    const bool is_there = ::stat(target_.c_str(), &about) == 0;
    if (is_there && S_ISDIR(about.st_mode)) throw file_error(text::format("kiln: {} is a folder", path));
    if (is_there && !S_ISREG(about.st_mode)) {
        file_ = compile::descriptor(
            static_cast<int>(uninterrupted([&] { return ::open(target_.c_str(), O_WRONLY | O_CLOEXEC); })));
    } else {
        // Its process and a number: no other writer's, of this name or another.
        static std::atomic<unsigned> serial;
        temporary_ = text::format("{}.tmp-{}-{}", target_, ::getpid(), serial++);
        file_ = nameless_beside(target_);
        has_name_ = !file_;
        if (has_name_)
            file_ = compile::descriptor(static_cast<int>(uninterrupted(
                [&] { return ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, as_umask_says); })));
        if (!file_) temporary_.clear(), has_name_ = false;
        else if (is_there) (void)::fchmod(file_.get(), about.st_mode & 07777);  // who may read it does not change
    }
    if (!file_) fail("open", errno);
}

output_file::~output_file() {
    if (has_name_) ::unlink(temporary_.c_str());
}

void output_file::expect(std::size_t bytes) {
    if (temporary_.empty()) return;
    const int trouble = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(bytes));
    if (trouble == ENOSPC || trouble == EFBIG || trouble == EDQUOT) fail("write", trouble);
}

void output_file::write(const void* from, std::size_t bytes) {
    const auto* next = static_cast<const std::byte*>(from);
    while (bytes) {
        const ssize_t now = uninterrupted([&] { return ::write(file_.get(), next, bytes); });
        if (now < 0) fail("write", errno);
        next += now;
        bytes -= static_cast<std::size_t>(now);
    }
}

void output_file::publish() {
    // A file gets its first name only where there is none; the name of one that is there it takes by a rename.
    if (!temporary_.empty() && !has_name_) {
        if (::linkat(AT_FDCWD, path_of(file_).c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
            fail("write", errno);
        has_name_ = true;
    }
    // Some network file systems say only here that a write failed.
    if (::close(file_.release()) != 0 && errno != EINTR) fail("write", errno);
    if (!has_name_) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", errno);
    has_name_ = false;
}

void output_file::fail(const char* doing, int trouble) const {
    throw file_error(text::format("kiln: cannot {} {}: {}", doing, path_, words_of(trouble)));
}

}  // namespace kiln::inline v0_1::detail
