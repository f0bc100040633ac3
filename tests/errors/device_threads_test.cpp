// Two devices and many threads: each array where its thread put it, each answer right. Under ThreadSanitizer as well.
#include <support/device_pairs.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace k = kiln;

namespace {

using floats = std::vector<float>;

/// Everything that a thread may do with its own device and another's arrays.
bool is_right(int number, const k::device& mine, const k::device& other, const k::array<float>& shared) {
    const k::scoped_device here(mine);
    const auto value = static_cast<float>(number % 17 + 1);
    const k::array<float> x = k::full<float>({2000}, value);
    if (x.device() != mine) return false;
    k::array<float> y = x + x + x;
    y += 1;
    const k::array<float> there = k::to(other, y);
    if (there.device() != other || there.to_host() != floats(2000, 3 * value + 1)) return false;
    if (k::array<float>(k::sum(there * 2)).item() != 2000 * 2 * (3 * value + 1)) return false;
    // A structure of its own: lowered anew, and looked for.
    k::expr<float> grown = there;
    for (int i = 0; i < number % 5 + 1; ++i) grown = grown + there;
    if (k::array<float>(grown).device() != other) return false;
    // What all threads read, and what is on the wrong device for half of them.
    if (k::array<float>(shared * value).to_host()[1999] != value) return false;
    const k::array<float> alone = k::to(mine, shared);
    if (k::array<float>(alone + x).to_host()[0] != 1 + value) return false;
    try {
        const k::array<float> never = y + there;
        return false;
    } catch (const k::device_error&) {
    }
    return true;
}

}  // namespace

TEST_CASE("8 threads over two devices: arrays stay on their own, and every answer is right") {
    for (const tests::device_pair& both : tests::device_pairs()) {
        const k::array<float> shared = k::to(both.other, k::ones<float>({2000}));
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&, i] {
                for (int round = 0; round < 12; ++round) {
                    const bool swapped = (i + round) % 2 == 1;
                    const k::device& mine = swapped ? both.other : both.one;
                    const k::device& other = swapped ? both.one : both.other;
                    if (!is_right(i + round, mine, other, shared)) ++wrong;
                }
            });
        for (std::thread& each : threads) each.join();
        CHECK(wrong == 0);
    }
}
