#include <streamed/host_threads.hpp>

#include <process/immortal.hpp>

#include <algorithm>

namespace kiln::streamed {

backend::thread_pool& host_threads() {
    // Chunks of a stream come sooner. Waking a sleeping core takes a virtual machine as long as copying a chunk.
    constexpr std::int64_t spin_ns = 200'000;
    static constinit process::immortal<backend::thread_pool> threads;
    return threads([] { return new backend::thread_pool(std::min(backend::usable_thread_count(), 16), spin_ns); });
}

}  // namespace kiln::streamed
