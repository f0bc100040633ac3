// tests/emit/kinds: the kinds of kernels that the printers know, each as the source of one of its kernels. What a
// printer writes and none of these has, printed_lines_test.cpp names.
#pragma once

#include <emit/source.hpp>
#include <plan/target.hpp>

#include <string>
#include <vector>

namespace tests {

struct kind {
    std::string name;  // of its golden, without the ending
    kiln::plan::frame on = kiln::plan::frame::cuda;
    kiln::emit::source source;
    std::string nest = {};       // as people see it, of CUDA's
    std::string why_wrong = {};  // what its check says of it for sm_90
};

/// The simplest first: what a kind has in common with one before it is shown there.
std::vector<kind> kinds();

}  // namespace tests
