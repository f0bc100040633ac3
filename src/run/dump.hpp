// kiln/run/dump: what a kernel is made of, as files, for who asks with KILN_DUMP=DIR: NAME-KEY.cu (or .cpp), what a compiler made
// of it (.cubin or .so, .ptx where there was one), and what is known of it (.txt).
// in: sources, what the store gave   out: files   knows nothing of: devices
#pragma once

#include <emit/source.hpp>
#include <jit_cache/store.hpp>

#include <string_view>

namespace kiln::inline v0_1::detail {

[[nodiscard]] bool dumps() noexcept;
/// Where files cannot be written, says so once. `is_cuda`: how they end.
void dump(const emit::source& source, const jit_cache::key& key, const jit_cache::artifact& made, bool is_cuda);

}  // namespace kiln::inline v0_1::detail
