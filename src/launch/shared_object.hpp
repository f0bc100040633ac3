// kiln/launch/shared_object: bytes in memory to functions that can be called.
// in: the bytes of an ELF shared object   out: its symbols   knows nothing of: kernels, where the bytes came from
#pragma once

#include <memory>
#include <string>

namespace kiln::launch {

class shared_object {
public:
    struct opening {
        std::unique_ptr<shared_object> object;  // null: not loaded
        bool folder_found = true;               // false: no folder of this machine lets a file be mapped as code
        std::string why;                        // not loaded, in words
    };

    /// Writes the bytes into a private file of a name never used before, loads it, and removes the file at once.
    /// Bytes that are no shared object for this machine are told from a machine that runs nothing that was written.
    static opening open(const std::string& bytes);
    /// Whether any folder lets a file be mapped as code; where none does, `why` says what each said.
    static bool finds_folder(std::string& why);

    ~shared_object();
    shared_object(const shared_object&) = delete;
    shared_object& operator=(const shared_object&) = delete;

    /// nullptr when there is no such symbol.
    [[nodiscard]] void* symbol(const std::string& name) const;

private:
    explicit shared_object(void* opened) : opened_(opened) {}

    void* opened_;
};

}  // namespace kiln::launch
