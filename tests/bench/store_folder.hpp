// tests/bench/store_folder: a kernel store's folder of any size, with entries as kiln's are: keys of some kilobytes, several
// kernels of each expression.
// in: a parent folder, a number of entries   out: a folder, and keys that have and have not an entry in it
// knows nothing of: what is measured
#pragma once

#include <jit_cache/store.hpp>

#include <filesystem>

namespace kiln::bench {

/// One entry: which expression, which source that was generated for it, who compiled it.
struct kernel {
    int family = 0;
    int source = 0;
    int compiler = 0;
};

/// The number-th kernel of a stored_folder: eight of each expression, two sources for four compilers.
[[nodiscard]] kernel kernel_number(int number);

[[nodiscard]] jit_cache::key key_of(const kernel& which);
[[nodiscard]] jit_cache::artifact artifact_of(std::size_t payload_bytes);

/// A folder of its own that is gone afterwards. Of each expression's eight kernels the first is of 40 KB, the others are of 4.
class stored_folder {
public:
    stored_folder(const std::filesystem::path& parent, int entries);
    ~stored_folder();
    stored_folder(const stored_folder&) = delete;
    stored_folder& operator=(const stored_folder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] int entries() const { return entries_; }
    /// Kernels of families 0 to this, exclusive, are there.
    [[nodiscard]] int families() const;

    /// Publishes what is missing to the number of entries, and one more.
    void fill_up();

private:
    void publish(int first, int count) const;

    std::filesystem::path path_;
    int entries_ = 0;
    int published_ = 0;
};

[[nodiscard]] bool is_writable(const std::filesystem::path& folder);

}  // namespace kiln::bench
