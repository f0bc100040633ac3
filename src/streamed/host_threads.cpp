#include <streamed/host_threads.hpp>

#include <process/immortal.hpp>

#include <algorithm>

namespace kiln::streamed {

backend::thread_pool& host_threads() {
    // 0.2 ms: chunks of a stream come sooner. Waking a sleeping core takes a virtual machine as long as copying a chunk.
    constexpr int spins = 60 * backend::thread_pool::usual_spins;
    static constinit process::immortal<backend::thread_pool> threads;
    return threads([] { return new backend::thread_pool(std::min(backend::usable_thread_count(), 16), spins); });
}

}  // namespace kiln::streamed
