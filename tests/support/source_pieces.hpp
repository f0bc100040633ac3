// tests/support/source_pieces: generated source, cut into the definitions that stand in it.
// in: a kernel's source   out: its heading, its definitions in order, the kernel's own lines
// knows nothing of: what a kernel computes
#pragma once

#include <string>
#include <vector>

namespace tests {

struct source_pieces {
    struct definition {
        std::string name;  // "load_f32x4", "u32"
        std::string text;  // whole lines, with the comment before them
    };
    std::string heading;  // the first line
    std::vector<definition>
        definitions;                 // the kernel's head among them: its name, parameters and how they are unpacked
    std::vector<std::string> lines;  // of the kernel, after its head
};

/// Of one kernel's source.
source_pieces pieces_of(const std::string& source);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace tests
