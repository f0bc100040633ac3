// jit_cache/in_threads: the same work on several threads, for what waits for the kernel most of the time.
// in: how many, a function   out: when all of them have returned   knows nothing of: what the work is, who shares it out
#pragma once

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace jit_cache {

/// Calls `work` here and on count - 1 more threads, or on as many as there are to be had. The first exception comes out of
/// here, after all have ended.
template <class Work>
void in_threads(unsigned count, const Work& work) {
    std::mutex mutex;
    std::exception_ptr trouble;
    const auto guarded = [&] {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!trouble) trouble = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (unsigned i = 1; i < count; ++i) helpers.emplace_back(guarded);
        } catch (const std::system_error&) {  // no more threads to be had: those that there are do it
        }
        guarded();
    }
    if (trouble) std::rethrow_exception(trouble);
}

}  // namespace jit_cache
