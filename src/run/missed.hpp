// kiln/run/missed: why a kernel has to be compiled, in kiln's words: the store knows which fields of a key differ, not what they
// mean.
// in: a look-up's miss   out: one of the reasons of miss_table.def, and a sentence   knows nothing of: who is told
#pragma once

#include <jit_cache/miss.hpp>
#include <record/tally.hpp>

#include <string>
#include <string_view>

namespace kiln::inline v0_1::detail {

struct miss_reading {
    record::counter counter;
    std::string text;  // "stored by another compiler: NVRTC 12.9 -> NVRTC 13.0"
};
/// Where keys have to be compared, about 20 us. `free_field`: one that need not be the same, and is no reason then.
[[nodiscard]] miss_reading read(const jit_cache::miss& of, std::string_view free_field);

/// A compiler says what it is for people, then, in brackets, what tells it from all others: the first.
[[nodiscard]] std::string_view for_people(std::string_view fingerprint);

}  // namespace kiln::inline v0_1::detail
