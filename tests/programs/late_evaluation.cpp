// Evaluates where a program has mostly ended: late_evaluation WAY. Leaves with 0 when every answer was right or a
// kiln::error, with 3 when one was wrong; anything else is a crash.
//   early     a static object made before kiln was used evaluates in its destructor
//   late      one made after it does
//   atexit    functions registered before and after kiln was used do
//   thread    a detached thread evaluates while main() returns
//   others    the same, and the main thread never has
//   local     a thread_local object of the main thread evaluates in its destructor
//   arrays    static arrays and expressions end with the program, and are used once more before
//   first     nothing is evaluated before the destructors of static objects
#include <kiln/kiln.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <execinfo.h>
#include <unistd.h>

namespace {

namespace k = kiln;

std::string way;

void check(bool right) {
    if (!right) ::_exit(3);
}

std::atomic<bool> ending{false};  // the handlers of exit() have begun

/// Who was where when the program crashed: the program that started this one shows it.
void say_where(int signal, siginfo_t* about, void*) {
    std::array<char, 128> line{};
    const int length = std::snprintf(line.data(), line.size(), "signal %d at %p, in %s thread, %s\n", signal,
                                     about->si_addr, ::gettid() == ::getpid() ? "the main" : "another",
                                     ending ? "while the program ends" : "before its end");
    std::array<void*, 64> frames{};
    if (::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length)) == length)
        ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), static_cast<int>(frames.size())),
                               STDERR_FILENO);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Every kind of path there is: warm and cold, run-time expressions, reductions, scans, fused functions, views.
void evaluate(int number) {
    try {
        const auto value = static_cast<float>(number);
        const k::array<float> x = k::full<float>({3000}, value);
        const k::array<float> y = x + x + x + x + x;
        check(y.to_host()[2999] == 5 * value);
        k::expr<float> grown = x;
        for (int i = 0; i < number % 7 + 2; ++i) grown = grown + x;
        const k::array<float> z = grown;
        check(z.to_host()[17] == static_cast<float>(number % 7 + 3) * value);
        check(k::array<float>(k::sum(x * 2.0f)).item() == 6000 * value);
        const k::array<float> running = k::cumsum(k::ones<float>({100}));
        check(running.to_host()[99] == 100);
        const auto twice = k::fuse([](const auto& a) { return a * 2.0f + 1.0f; });
        const k::array<float> w = twice(x);
        check(w.to_host()[5] == 2 * value + 1);
        const k::array<float> turned = k::flip(k::arange<float>(10) * value);
        check(turned.to_host()[0] == 9 * value);
        static_cast<void>(k::counters::now());
    } catch (const k::error& trouble) {
        std::fprintf(stderr, "%s: %s\n", way.c_str(), trouble.what());
    }
}

struct evaluates_at_its_end {
    const char* only;
    explicit evaluates_at_its_end(const char* which) : only(which) {}
    ~evaluates_at_its_end() {
        if (way == only || way == "first") evaluate(11);
    }
};

const evaluates_at_its_end early("early");

std::atomic<bool> running{false};

}  // namespace

int main(int count, char** values) {
    if (count != 2) return 2;
    struct sigaction handler {};
    handler.sa_sigaction = say_where;
    handler.sa_flags = SA_SIGINFO;
    for (const int each : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::sigaction(each, &handler, nullptr);
    way = values[1];
    if (way == "first") return 0;
    if (way == "atexit") std::atexit([] { evaluate(12); });
    if (way != "others") {
        evaluate(1);
        evaluate(2);
    }
    if (way == "atexit") std::atexit([] { evaluate(13); });
    static const evaluates_at_its_end late("late");
    if (way == "local") {
        thread_local const evaluates_at_its_end local("local");
        static_cast<void>(&local);
    }
    if (way == "arrays") {
        static k::array<float> kept = k::full<float>({1000}, 2.0f);
        static k::array<float> other;
        static const struct uses_them {
            ~uses_them() {
                other = kept * kept;
                check(other.to_host()[999] == 4);
            }
        } at_end;
        static_cast<void>(&at_end);
    }
    if (way == "thread" || way == "others") {
        for (int i = 0; i < 3; ++i)
            std::thread([i] {
                for (int number = 3 + i;; ++number) {
                    evaluate(number % 50);
                    running = true;
                }
            }).detach();
        while (!running) std::this_thread::yield();
        std::atexit([] { ending = true; });
    }
    return 0;
}
