// kiln/compile/descriptor: an open file that is closed with its scope.
#pragma once

#include <unistd.h>

#include <utility>

namespace kiln::compile {

class descriptor {
public:
    descriptor() = default;
    /// Takes over what open() and its like returned; -1: none.
    explicit descriptor(int number) noexcept : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }
    ~descriptor() { close(); }

    [[nodiscard]] int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// The number, whose owner is now the caller.
    [[nodiscard]] int release() noexcept { return std::exchange(number_, -1); }
    void close() noexcept {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

private:
    int number_ = -1;
};

}  // namespace kiln::compile
