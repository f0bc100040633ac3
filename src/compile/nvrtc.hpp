// kiln/compile/nvrtc: CUDA C++ to cubin by NVRTC, which is found and opened at run time.
// in: source text   out: a cubin; PTX where this NVRTC does not know the GPU   knows nothing of: the driver, the cache
#pragma once

#include <compile/toolchain.hpp>

#include <memory>
#include <string>

namespace kiln::compile {

/// NVRTC 12.0 and newer. Constructing one touches no file; fingerprint() searches once; open() and compile() open the
/// very file that was fingerprinted, and throw compile_error listing what was looked for where when there is none.
/// Costs: dlopen 4 to 270 ms (file cache warm, cold); one bare kernel 28.6 ms with 13.0, 29.4 with 12.4, 90.9 with 12.0
/// (2026-11, 2 shared cores).
class nvrtc_toolchain final : public toolchain {
public:
    /// `driver_major`: 12 for a driver of CUDA 12.x, which refuses what a newer major's NVRTC makes; 0: not known. `one_more`: an option
    /// that an NVRTC which does not know it does without, and behind spaces others that go with it; empty: none.
    explicit nvrtc_toolchain(std::string architecture, int driver_major = 0, const std::string& one_more = {});
    ~nvrtc_toolchain() override;

    [[nodiscard]] const std::string& target() const override { return architecture_; }
    /// "no NVRTC" when there is none.
    [[nodiscard]] const std::string& fingerprint() const override;
    /// What is asked for. An NVRTC that does not know --minimal, --no-cache or --ptxas-options=-v compiles without.
    [[nodiscard]] const std::string& options(arithmetic how = arithmetic::exact) const override {
        return options_[static_cast<int>(how)];
    }
    [[nodiscard]] bool is_there() const override;
    void open() override;
    /// Facts: "registers", "spill_bytes", "nvrtc" ("13.0"), and "ptx" ("compute_90") when that is what came out.
    binary compile(const emit::source& kernel, arithmetic how = arithmetic::exact) override;

private:
    struct search;   // where the library is
    struct library;  // its functions

    const search& found() const;

    std::string architecture_;
    std::string options_[arithmetic_count];
    int driver_major_;
    std::unique_ptr<search> search_;
    std::unique_ptr<library> library_;
};

}  // namespace kiln::compile
