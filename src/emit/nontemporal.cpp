#include <emit/nontemporal.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

// The body stands in the kernel once more: long ones take long to compile, and are not bound by memory.
constexpr int most_steps = 64;

}  // namespace

int elements_per_line(const plan::kernel& of, bool calls_library) {
    // An output in an input's place has been read into the cache before it is stored.
    if (of.aliased || of.persistent_rows || calls_library || of.gathers() || of.last_step - of.first_step > most_steps)
        return 0;
    int narrowest = line_bytes;
    for (const plan::operand& each : of.outputs) {
        if (each.how != plan::access::contiguous) return 0;
        narrowest = std::min(narrowest, bytes_of(each.type));
    }
    return line_bytes / narrowest;
}

}  // namespace kiln::emit
