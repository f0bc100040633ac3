// kiln/streamed/scan_in_order: a scan of some of the whole's lines. Its plan may divide few lines in other parts than many
// (plan/scan.hpp), so these are taken in the steps of the whole's.
// in: a scan, a part of its operand   out: the part's results   knows nothing of: chunks, copies
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <plan/scan.hpp>
#include <streamed/taken_elements.hpp>

#include <cstdint>

namespace kiln::streamed {

/// By steps that publish nothing: the same order.
plan::scan_mapping without_publishing(plan::scan_mapping of) noexcept;

/// Not of sorts, nor on a CPU by functions of the user's.
bool can_scan_in_order(const term& scan, const plan::target& on) noexcept;

/// `part` has fewer positions than `whole` on an axis other than the scan's.
handle<term> scanned_in_order(const term& scan, const handle<term>& part, const shape& whole, std::uint8_t axes,
                              backend::device& on, const char* label, const evaluate_elements& evaluate);

/// What parts of `of` come to, in the device's memory, becomes what its part is on top of (plan/scan.hpp).
void scan_totals(const plan::scan_step& of, backend::device& on, const char* label, std::byte* totals);

/// Of the device's memory, for a part of that shape, beside the result.
std::int64_t bytes_of_scan_in_order(const term& scan, const shape& part);

}  // namespace kiln::streamed
