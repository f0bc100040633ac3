// jit_cache/write_signals: blocked for the calling thread, and taken from its queue.
#include <jit_cache/write_signals.hpp>

#include <cerrno>
#include <ctime>
#include <initializer_list>

namespace jit_cache {

write_signals_held_back::write_signals_held_back() noexcept {
    ::sigset_t both;
    ::sigset_t waiting;
    ::sigemptyset(&both);
    ::sigemptyset(&taken_);
    ::sigpending(&waiting);
    for (const int each : {SIGXFSZ, SIGPIPE}) {
        ::sigaddset(&both, each);
        if (::sigismember(&waiting, each) == 0) ::sigaddset(&taken_, each);
    }
    ::pthread_sigmask(SIG_BLOCK, &both, &before_);
}

write_signals_held_back::~write_signals_held_back() {
    const int error = errno;
    const ::timespec no_time{};
    for (;;) {
        const int signal = ::sigtimedwait(&taken_, nullptr, &no_time);
        if (signal < 0 && errno != EINTR) break;
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
}

}  // namespace jit_cache
