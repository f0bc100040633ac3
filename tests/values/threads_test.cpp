// Every public function is thread-safe: the same and different expressions from eight threads at once.
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <atomic>
#include <thread>

namespace k = kiln;

namespace {

constexpr int thread_count = 8;

/// Runs body(thread number) on eight threads that start together; how many of them threw or returned false.
template <class Body>
int failures_of(Body body) {
    std::atomic<int> waiting{thread_count};
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int number = 0; number < thread_count; ++number) {
        threads.emplace_back([&, number] {
            waiting.fetch_sub(1);
            while (waiting.load()) std::this_thread::yield();
            try {
                if (!body(number)) failures.fetch_add(1);
            } catch (...) {
                failures.fetch_add(1);
            }
        });
    }
    for (std::thread& each : threads) each.join();
    return failures.load();
}

}  // namespace

TEST_CASE("eight threads that meet a new expression at once all get its values, from one compiled kernel") {
    const k::array<float> x = k::from_host<float>(tests::ordinary_values<float>(2000));
    const std::vector<float> in = x.to_host();
    const k::counters before = k::counters::now();
    CHECK(failures_of([&](int number) {
              const float by = static_cast<float>(number);
              const std::vector<float> got = k::array<float>((x - by) * x * x - by * 3.5f).to_host();
              for (std::size_t i = 0; i < in.size(); ++i)
                  if (!tests::same_bits(got[i], (in[i] - by) * in[i] * in[i] - by * 3.5f)) return false;
              return true;
          }) == 0);
    const k::counters spent = k::counters::now() - before;
    CHECK(spent.launches == thread_count);
    CHECK(spent.compiles <= 1);
}

TEST_CASE("eight threads with arrays of their own and expressions of several types do not disturb one another") {
    CHECK(failures_of([](int number) {
              k::array<std::int64_t> x = k::arange<std::int64_t>(1000) + std::int64_t{number};
              for (int round = 0; round < 30; ++round) {
                  x = x * 3 + 1;
                  x += x % 7;
                  x(k::range(0, 1000, 2)) = x(k::range(1, 1000, 2)) - round;
              }
              std::vector<std::int64_t> expected;
              for (std::int64_t i = 0; i < 1000; ++i) expected.push_back(i + number);
              for (int round = 0; round < 30; ++round) {
                  for (std::int64_t& each : expected) {
                      each = static_cast<std::int64_t>(static_cast<std::uint64_t>(each) * 3 + 1);
                      each = static_cast<std::int64_t>(static_cast<std::uint64_t>(each) +
                                                       static_cast<std::uint64_t>(each % 7));
                  }
                  for (std::size_t i = 0; i < 1000; i += 2)
                      expected[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(expected[i + 1]) -
                                                              static_cast<std::uint64_t>(round));
              }
              return tests::difference(x.to_host(), expected).empty();
          }) == 0);
}

TEST_CASE("eight threads may copy, read and overwrite their copies of one shared array") {
    const k::array<float> shared = k::full<float>({5000}, 1.0f);
    CHECK(failures_of([&](int number) {
              for (int round = 0; round < 50; ++round) {
                  k::array<float> own = shared;
                  own += static_cast<float>(number);
                  own(k::range(0, 10)) = 0.0f;
                  if (own.to_host()[4999] != 1.0f + static_cast<float>(number)) return false;
                  if (own.to_host()[5] != 0.0f) return false;
              }
              return true;
          }) == 0);
    CHECK_SAME(shared.to_host(), std::vector<float>(5000, 1.0f));
}

TEST_CASE("eight threads may share one stored expression and one expr") {
    const k::array<double> x = k::arange<double>(500);
    const auto e = x * x - 1.0;
    const k::expr<double> erased = x * x - 1.0;
    const std::vector<double> expected = k::array<double>(e).to_host();
    CHECK(failures_of([&](int) {
              for (int round = 0; round < 50; ++round) {
                  if (!tests::difference(k::array<double>(e).to_host(), expected).empty()) return false;
                  k::expr<double> copy = erased;
                  copy = copy + 1.0;
                  if (k::array<double>(copy).to_host()[3] != 9.0) return false;
              }
              return true;
          }) == 0);
}

TEST_CASE("options are the thread's own") {
    const k::array<float> x = k::ones<float>({10});
    std::atomic<int> unfused_launches{0};
    const k::scoped_options off({.fuse = false});
    std::thread other([&] {
        const k::explanation plan = k::explain(x + x + x);
        unfused_launches = static_cast<int>(plan.kernels.size());
    });
    other.join();
    CHECK(unfused_launches == 1);
    CHECK(k::explain(x + x + x).kernels.size() == 2);
}
