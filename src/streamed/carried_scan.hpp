// kiln/streamed/carried_scan: partial results along the axis that is cut, in the order of plan/scan.hpp: what parts come to, chunk by
// chunk; a scan of that; then chunk by chunk each part on top of those before it. The operand is read twice, unless there is one part.
// in: a scan   out: which steps a chunk takes   knows nothing of: copies
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <plan/scan.hpp>
#include <streamed/taken_elements.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::streamed {

class carried_scan {
public:
    /// Nothing where it is none, or its order is not that of parts that follow each other; then `reasons` has one more.
    static std::optional<carried_scan> of(const handle<term>& root, const plan::target& on,
                                          std::vector<std::string>& reasons);

    [[nodiscard]] int axis() const noexcept { return axis_; }
    /// Positions of a part: chunks have whole ones.
    [[nodiscard]] std::int64_t part() const noexcept { return last_.part; }
    [[nodiscard]] std::int64_t parts() const noexcept { return last_.parts(); }
    [[nodiscard]] element_type type() const noexcept { return last_.type; }
    /// Elements of a position.
    [[nodiscard]] std::int64_t inner() const noexcept { return last_.inner; }
    [[nodiscard]] std::int64_t bytes_of_totals() const noexcept { return parts() * inner() * bytes_of(type()); }

    /// So many positions before a chunk of so many, in place of what is known of all before them.
    [[nodiscard]] std::int64_t before(std::int64_t count) const noexcept { return parts() > 1 ? part() : count; }

private:
    friend class scanned_chunks;
    [[nodiscard]] handle<term> elements_of(const handle<term>& part) const;
    /// Whether what parts come to is not scanned as elements are.
    [[nodiscard]] bool has_own_totals() const noexcept { return last_.narrow_level > 0; }
    [[nodiscard]] plan::scan_step step(std::int64_t count) const;

    handle<term> root_;
    int axis_ = 0;
    plan::scan_step last_;  // of the whole
};

class scanned_chunks {
public:
    /// `evaluate`: anew; `evaluate_into`: to where a node has it.
    scanned_chunks(const carried_scan& of, backend::device& on, const char* label, evaluate_elements evaluate,
                   std::function<void(const handle<term>&, const array_node&)> evaluate_into);

    /// First, where there are several parts: the operand's positions [begin, begin + count), of all chunks.
    void add(const handle<term>& part, std::int64_t begin, std::int64_t count);
    /// Then the same once more, in order: the results.
    [[nodiscard]] handle<array_node> scanned(const handle<term>& part, std::int64_t begin, std::int64_t count);

private:
    const carried_scan& of_;
    backend::device& on_;
    const char* const label_;
    evaluate_elements evaluate_;
    std::function<void(const handle<term>&, const array_node&)> evaluate_into_;
    handle<array_node> totals_;  // of parts; scanned, once the first result is asked for
    bool are_scanned_ = false;
    handle<array_node> last_;   // of one part: the chunk before
    std::byte* end_ = nullptr;  // and its last position
};

}  // namespace kiln::streamed
