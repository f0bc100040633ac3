// A nest as a device may run it, thread by thread, without text: every access is looked at, and what no kernel may do is
// thrown as a nest_fault. Blocks run in an order of chance; a block's threads in step, which is as good as any other order
// since whatever would differ in another one is a fault: two threads at one place without a barrier between them.
#pragma once

#include <plan/nest/nest.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

struct nest_fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Of some elements of a reduction: what they come to, and where that is.
struct known {
    static constexpr std::int64_t nowhere = INT64_MAX;
    std::int64_t value = 0;
    std::int64_t place = nowhere;
};

/// What elements are, and what becomes of them: numbers, or terms that say what was done. Each is a number to the nest.
class element_meaning {
public:
    virtual ~element_meaning() = default;
    virtual std::int64_t identity(const kiln::plan::reduced_output& of) = 0;
    /// What two parts come to, b after a; of those that find positions, with places.
    virtual known combine(const kiln::plan::reduced_output& of, const known& a, const known& b) = 0;
    virtual std::int64_t finish(const kiln::plan::reduced_output& of, const known& a, std::int64_t count) = 0;
    /// Of a piece of emit/helpers/.
    virtual std::int64_t piece(const std::string& name, std::span<const std::int64_t>) {
        throw nest_fault("nobody says what " + name + " is");
    }
    virtual std::vector<std::int64_t> compute(int body, std::span<const std::int64_t> inputs, std::size_t outputs) = 0;
};

/// "x7", "(x0 + x1)": a term for each element, each different one once. None: what combines with nothing.
class terms : public element_meaning {
public:
    std::int64_t leaf(const std::string& name) { return number_of(name); }
    [[nodiscard]] const std::string& text(std::int64_t of) const { return texts_.at(static_cast<std::size_t>(of)); }

    std::int64_t identity(const kiln::plan::reduced_output&) override { return number_of(""); }
    known combine(const kiln::plan::reduced_output&, const known& a, const known& b) override {
        if (text(a.value).empty()) return b;
        if (text(b.value).empty()) return a;
        return {number_of("(" + text(a.value) + " + " + text(b.value) + ")")};
    }
    std::int64_t finish(const kiln::plan::reduced_output&, const known& a, std::int64_t count) override {
        return number_of("finished " + text(a.value) + " of " + std::to_string(count));
    }
    std::vector<std::int64_t> compute(int body, std::span<const std::int64_t> inputs, std::size_t outputs) override;

private:
    std::int64_t number_of(const std::string& text);

    std::map<std::string, std::int64_t> numbers_;
    std::vector<std::string> texts_;
};

/// Memory of the device: its elements, and who was where in this launch.
struct device_memory {
    static constexpr std::int64_t poison = INT64_MIN;  // of an element that nobody has set

    explicit device_memory(std::size_t count, std::int64_t misaligned_by = 0)
        : elements(count, poison),
          misaligned(misaligned_by),
          stored_by(count, -1),
          read_by(count, -1),
          stored_at(count, -1),
          read_at(count, -1) {}

    std::vector<std::int64_t> elements;
    std::int64_t misaligned;  // elements from a multiple of 256 bytes: of place 0
    std::int64_t origin = 0;  // which of the elements is at place 0
    /// Of accumulators, in place of elements: each reduction's value and place.
    std::vector<std::vector<std::int64_t>> accumulators;
    /// The thread of the launch, and the barriers that it had met.
    std::vector<std::int64_t> stored_by, read_by, stored_at, read_at;
};

struct nest_call {
    std::int64_t blocks = 1;
    std::vector<std::int64_t> words = {};       // the layout
    std::vector<std::int64_t> numbers = {};     // the parameters that are one, in order
    std::vector<device_memory*> memories = {};  // those that are memory, in order
    unsigned seed = 1;
    std::int64_t begin = 0;  // of the host, whose calls have a range
    std::int64_t end = 0;
    bool past_caches = false;
    /// Set while blocks take turns: lets the others go on.
    std::function<void()> others_go_on = {};
};

void run_nest(const kiln::plan::nest::tree& of, const nest_call& call, element_meaning& meaning);

}  // namespace tests
