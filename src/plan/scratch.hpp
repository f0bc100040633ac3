// kiln/plan/scratch: an array of run-time length that lives on the stack when it is short, so that a warm call does not
// allocate. Elements start uninitialised.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace kiln::plan {

template <class T, std::size_t short_length>
class scratch {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    [[gnu::always_inline]] explicit scratch(std::size_t length) {
        if (length > short_length) [[unlikely]] {
            long_ = std::make_unique_for_overwrite<T[]>(length);
            elements_ = long_.get();
            long_length_ = length;
        }
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    /// Room for more; the first `kept` elements stay.
    void grow(std::size_t length, std::size_t kept) {
        if (length <= (long_ ? long_length_ : short_length)) return;
        std::unique_ptr<T[]> longer = std::make_unique_for_overwrite<T[]>(length);
        std::memcpy(longer.get(), elements_, kept * sizeof(T));
        long_ = std::move(longer);
        elements_ = long_.get();
        long_length_ = length;
    }

    T& operator[](std::size_t i) { return elements_[i]; }
    const T& operator[](std::size_t i) const { return elements_[i]; }
    [[nodiscard]] T* data() { return elements_; }
    [[nodiscard]] const T* data() const { return elements_; }

private:
    T short_[short_length];
    T* elements_ = short_;
    std::size_t long_length_;  // set with long_
    std::unique_ptr<T[]> long_;
};

}  // namespace kiln::plan
