// kiln/options: how expressions are evaluated, for the calling thread, while a scoped_options lives.
#pragma once

namespace kiln {

struct options {
    /// false: one kernel per operator, with a temporary between each. The same bits; what fusing saves.
    bool fuse = true;

    friend bool operator==(const options&, const options&) = default;
};

namespace detail {
extern thread_local constinit options thread_options;
}

/// The calling thread's options.
inline const options& current_options() noexcept { return detail::thread_options; }

/// { k::scoped_options off({.fuse = false}); y = e; }
class scoped_options {
public:
    explicit scoped_options(const options& changed) noexcept : previous_(detail::thread_options) {
        detail::thread_options = changed;
    }
    ~scoped_options() { detail::thread_options = previous_; }
    scoped_options(const scoped_options&) = delete;
    scoped_options& operator=(const scoped_options&) = delete;

private:
    options previous_;
};

}  // namespace kiln
