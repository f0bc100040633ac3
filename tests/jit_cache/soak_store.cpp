// soak_store: a worker of the soak that uses the store alone, from four threads, with makes of a millisecond. Each payload is
// checked, byte by byte.
#include "soak.hpp"

#include <jit_cache/store.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

jit_cache::key key_of(int number) {
    return jit_cache::key()
        .add("expression", "x0 + " + std::to_string(number))
        .add("source", "kernel " + std::to_string(number) + std::string(2000, ' '))
        .add("compiler", "soak");
}

/// The number-th artifact's bytes: 2 to 60 KB of a sequence of its own.
std::string payload_of(int number) {
    std::uint64_t word = static_cast<std::uint64_t>(number) + 1;
    const auto next = [&word] { return word = word * 6364136223846793005U + 1442695040888963407U; };
    std::vector<std::uint64_t> words(250 + (next() >> 32) % 7250);
    for (std::uint64_t& each : words) each = next();
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(words[0])};
}

}  // namespace

int main(int count, char** arguments) {
    const soak::work mine = soak::parse(count, arguments);
    const soak::holdings before = soak::held();
    std::atomic<int> made{0};
    std::atomic<int> from_disk{0};
    std::atomic<int> wrong{0};
    {
        jit_cache::settings settings;
        settings.directory = mine.folder;
        settings.max_bytes = mine.max_bytes;
        settings.max_memory_bytes = std::uint64_t{1} << 20;  // most of what is asked for twice is looked for on disk
        jit_cache::store store(settings);
        soak::questions questions(mine);
        std::mutex asking;
        int asked = 0;
        const auto work = [&] {
            for (;;) {
                int number = 0;
                {
                    const std::lock_guard lock(asking);
                    if (asked++ >= soak::questions_per_life) return;
                    number = questions.next();
                }
                const jit_cache::found found = store.find_or_make(
                    key_of(number),
                    [&](const jit_cache::miss&) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        return jit_cache::artifact{.payload = payload_of(number), .facts = {}, .extras = {}};
                    },
                    nullptr);
                if (found.value->payload != payload_of(number)) ++wrong;
                if (found.from == jit_cache::origin::disk) ++from_disk;
                if (found.from == jit_cache::origin::made) {
                    ++made;
                    store.publish(key_of(number), found.value);
                }
            }
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(work);
        for (std::thread& one : threads) one.join();
    }
    soak::told{soak::questions_per_life, made, from_disk, soak::held() - before}.print();
    if (wrong != 0) std::fprintf(stderr, "%d wrong payloads\n", wrong.load());
    return wrong == 0 ? 0 : 1;
}
