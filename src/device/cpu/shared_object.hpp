// kiln/device/cpu/shared_object: bytes in memory to functions that can be called.
// in: the bytes of an ELF shared object   out: its symbols   knows nothing of: kernels, where the bytes came from
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace kiln::backend {

class shared_object {
public:
    enum class outcome : std::uint8_t {
        loaded,
        refused,  // the bytes are no shared object for this machine, or need what is not there
        passing,  // no descriptors, no memory, no mappings: says nothing about the bytes, and may be over the next time
        nowhere   // this machine lets nothing be run that was written
    };
    struct opening {
        std::unique_ptr<shared_object> object;  // null: not loaded
        outcome how = outcome::loaded;
        std::string why;  // not loaded, in words
    };

    /// What is loaded is what was given: the bytes go into memory under no name, or, where such memory may not be run, into
    /// a file that others can neither write nor move; it is gone when this returns.
    static opening open(const std::string& bytes);
    /// Whether anything that was written may be run here; where not, `why` says what each place said.
    static bool can_run(std::string& why);

    ~shared_object();
    shared_object(const shared_object&) = delete;
    shared_object& operator=(const shared_object&) = delete;

    /// nullptr when there is no such symbol.
    [[nodiscard]] void* symbol(const std::string& name) const;

private:
    explicit shared_object(void* opened) : opened_(opened) {}

    void* opened_;
};

}  // namespace kiln::backend
