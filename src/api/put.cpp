// Who writes last, found out on the host: one walk over the index, in its order.
#include <device/recording/while_recording.hpp>

#include <kiln/put.hpp>

namespace kiln::inline v0_1::detail {

array<std::int64_t> last_writers(const array<std::int64_t>& index, const shape& written, const device& on) {
    backend::refuse_while_recording("put()");
    const std::int64_t size = written.size();
    std::vector<std::int64_t> last(static_cast<std::size_t>(size), -1);
    std::int64_t number = 0;
    for (const std::int64_t position : index.to_host()) {
        const std::int64_t at = position < 0 ? position + size : position;
        if (at >= 0 && at < size) last[static_cast<std::size_t>(at)] = number;
        ++number;
    }
    const scoped_device here(on);
    return from_host<std::int64_t>(last, written);
}

}  // namespace kiln::inline v0_1::detail
