// jit_cache/file_descriptor: owns one open file and closes it once.
// in: what open() returned   out: the number, until destroyed   knows nothing of: what the file is
#pragma once

#include <unistd.h>

#include <utility>

namespace jit_cache {

class file_descriptor {
public:
    file_descriptor() = default;
    explicit file_descriptor(int number) : number_(number) {}
    file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~file_descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    [[nodiscard]] int get() const { return number_; }
    [[nodiscard]] explicit operator bool() const { return number_ >= 0; }

    /// Closes now and says whether that worked: some network file systems report a failed write only here.
    [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
    int number_ = -1;
};

}  // namespace jit_cache
