#include <streamed/host_threads.hpp>

#include <process/immortal.hpp>

#include <algorithm>

namespace kiln::streamed {

backend::thread_pool& host_threads() {
    static constinit process::immortal<backend::thread_pool> threads;
    return threads([] { return new backend::thread_pool(std::min(backend::usable_thread_count(), 16)); });
}

}  // namespace kiln::streamed
