// tests/support/cubin_batches: NVRTC for a run of tests, 32 kernels to a program: half the time of each by itself (13.0,
// --Ofast-compile=mid: 29 ms a kernel for 55; a program costs 25 before its first kernel). Nothing launches the cubins of such a
// run, so with KILN_TEST_CUBINS=together or hurried compile() gives a stand-in, and finish() says at the end which kernels are wrong.
// in: kernels, one after the other   out: stand-ins for cubins; at the end what no cubin came of   knows nothing of: devices
#pragma once

#include <compile/nvrtc.hpp>

#include <sys/types.h>

#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

namespace tests {

class cubin_batches final : public kiln::compile::toolchain {
public:
    /// Not `together`: each by itself, and its cubin is what compile() returns. `one_more`: as nvrtc_toolchain has it.
    cubin_batches(std::string architecture, bool together, const std::string& one_more = {});

    [[nodiscard]] const std::string& target() const override { return inner_.target(); }
    [[nodiscard]] const std::string& fingerprint() const override { return inner_.fingerprint(); }
    [[nodiscard]] const std::string& options(kiln::compile::arithmetic how) const override {
        return inner_.options(how);
    }
    [[nodiscard]] bool is_there() const override { return inner_.is_there(); }
    void open() override { inner_.open(); }
    kiln::compile::binary compile(const kiln::emit::source& kernel, kiln::compile::arithmetic how) override;

    /// Whether these bytes stand for a cubin, of a kernel that is compiled in this process or was found right before. A store
    /// may hold others: of a run that ended before its batches did, or in which they failed.
    [[nodiscard]] bool stands_for_cubin(const std::string& bytes) const;

    /// Compiles the rest. One line for each kernel that is wrong, and the compiler's log; empty when none is.
    [[nodiscard]] std::string finish();

    [[nodiscard]] std::size_t source_count() const;

private:
    struct waiting {
        kiln::emit::source kernel;
        std::string stand_in;
        std::string test_case;
    };
    using batch = std::vector<waiting>;

    void run(const batch& kernels, kiln::compile::arithmetic how);
    [[nodiscard]] std::string trouble_together(const batch& kernels, kiln::compile::arithmetic how);
    [[nodiscard]] std::string trouble_alone(const kiln::emit::source& kernel, kiln::compile::arithmetic how);

    kiln::compile::nvrtc_toolchain inner_;
    const bool together_;
    const pid_t owner_;         // a forked child has no end at which it would compile the rest
    const std::string passed_;  // the file of stand-ins whose kernels compiled; empty: none

    mutable std::mutex mutex_;  // of what follows
    std::unordered_set<std::string> sources_;
    std::unordered_set<std::string> stand_ins_;
    batch open_[kiln::compile::arithmetic_count][2];  // of those for "sm_90a", too, which would bring others there
    std::string troubles_;
};

/// Whether the wait for earlier kernels stands before whatever could touch memory. Compilers are free to move loads of what a
/// kernel does not write.
[[nodiscard]] bool waits_first(const std::string& cubin, const std::string& kernel);

}  // namespace tests
