// jit_cache_helper DIRECTORY COUNT ROUNDS: asks a store for COUNT keys, publishes what it had to make, and checks every
// answer; then ROUNDS - 1 times more with the memory forgotten. Prints "made M disk D", and each warning on a line.
#include <jit_cache/store.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

int main(int count, char** arguments) {
    if (count != 4) return 2;
    jit_cache::settings settings;
    settings.directory = arguments[1];
    settings.warn = [](std::string_view message) {
        std::printf("warning %.*s\n", static_cast<int>(message.size()), message.data());
    };
    const int keys = std::atoi(arguments[2]);
    const int rounds = std::atoi(arguments[3]);
    int made = 0;
    int from_disk = 0;
    {
        jit_cache::store store(settings);
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < keys; ++i) {
                const jit_cache::key key = jit_cache::key().add("source", "helper " + std::to_string(i));
                const std::string right =
                    std::string(static_cast<std::size_t>(200 + i), static_cast<char>('a' + i % 26));
                const auto found = store.find_or_make(
                    key,
                    [&](const jit_cache::miss&) {
                        return jit_cache::artifact{.payload = right, .facts = {}, .extras = {}};
                    },
                    nullptr);
                if (found.value->payload != right) {
                    std::printf("wrong binary for key %d\n", i);
                    return 1;
                }
                if (found.from == jit_cache::origin::made) {
                    ++made;
                    store.publish(key, found.value);
                }
                if (found.from == jit_cache::origin::disk) ++from_disk;
            }
            store.flush();
            store.forget_memory();
        }
    }
    std::printf("made %d disk %d\n", made, from_disk);
    return 0;
}
