// kiln/compile/host_compiler: the machine's C++ compiler as a toolchain: source to the bytes of a shared object.
// in: source text   out: a shared object, in memory   knows nothing of: loading it, the cache, clocks
#pragma once

#include <compile/toolchain.hpp>

#include <memory>
#include <string>
#include <vector>

namespace kiln::compile {

class host_toolchain final : public toolchain {
public:
    /// KILN_CXX when set; else CXX, c++, g++ and clang++, the first that PATH has. KILN_CXX and CXX may hold arguments
    /// after the program, as they may in make. nullptr when there is none. Starts nothing.
    static std::unique_ptr<host_toolchain> find();
    /// The names that find() tries, for the message that none is there.
    static std::string what_was_looked_for();

    [[nodiscard]] const std::string& target() const override;
    [[nodiscard]] const std::string& fingerprint() const override { return fingerprint_; }
    [[nodiscard]] const std::string& options(arithmetic how = arithmetic::exact) const override {
        return options_[static_cast<int>(how)];
    }
    void open() override {}
    /// One process and about 40 ms for a small kernel: 28 in the compiler proper, the rest in assembler and linker (g++
    /// 12 on an EPYC; <cmath> alone would add 120, so kernels include nothing). A private folder is used and gone
    /// again.
    binary compile(const emit::source& kernel, arithmetic how = arithmetic::exact) override;

private:
    host_toolchain(std::string program, std::vector<std::string> leading_arguments);

    std::string program_;
    std::vector<std::string> leading_arguments_;
    std::string fingerprint_;
    std::string options_[arithmetic_count];
};

}  // namespace kiln::compile
