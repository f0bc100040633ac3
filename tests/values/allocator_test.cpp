// Memory of the user's, by k::use_allocator; and what arrays hold, where there is none left.
#include <support/device_pairs.hpp>
#include <support/device_under_test.hpp>

#include <device/devices.hpp>
#include <device/stream_order.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace k = kiln;

namespace {

/// A pool of the user's, over the device's own memory: what it gave is counted, and on a host filled with NaN.
class counting_pool final : public k::allocator {
public:
    explicit counting_pool(const k::device& on) : on_(kiln::backend::device_at(k::detail::access::known(on))) {}

    void* allocate(std::size_t bytes, void*) override {
        std::byte* const memory = on_.allocate(bytes);
        if (kiln::backend::reaches_host(on_)) std::memset(memory, 0xff, bytes);
        const std::lock_guard held(mutex_);
        live_[memory] = bytes;
        ++given_;
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, void*) noexcept override {
        {
            const std::lock_guard held(mutex_);
            const auto found = live_.find(memory);
            if (found == live_.end() || found->second != bytes) {
                ++strangers_;
                return;
            }
            live_.erase(found);
        }
        on_.deallocate(static_cast<std::byte*>(memory), bytes, kiln::backend::stream_bit(on_.current_stream()));
    }

    [[nodiscard]] std::size_t live() const {
        const std::lock_guard held(mutex_);
        return live_.size();
    }
    [[nodiscard]] bool gave(const void* memory) const {
        const std::lock_guard held(mutex_);
        return live_.count(const_cast<void*>(memory)) != 0;
    }
    [[nodiscard]] int given() const { return given_; }
    /// Blocks that came back and are none of its own.
    [[nodiscard]] int strangers() const { return strangers_; }

private:
    kiln::backend::device& on_;
    mutable std::mutex mutex_;
    std::map<void*, std::size_t> live_;
    std::atomic<int> given_{0};
    std::atomic<int> strangers_{0};
};

/// The device that tests run on asks there while this lives.
struct with_allocator {
    explicit with_allocator(std::shared_ptr<k::allocator> from) { k::use_allocator(std::move(from)); }
    ~with_allocator() { k::use_allocator(nullptr); }
};

/// Gives what its function gives.
template <class Give>
class pool_that final : public k::allocator {
public:
    explicit pool_that(Give give) : give_(give) {}
    void* allocate(std::size_t bytes, void* stream) override { return give_(bytes, stream); }
    void deallocate(void* memory, std::size_t, void*) noexcept override { returned = memory; }

    void* returned = nullptr;

private:
    Give give_;
};

template <class Error, class Call>
std::string said_by(Call&& call) {
    try {
        call();
    } catch (const Error& thrown) {
        return thrown.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("use_allocator: arrays and what kernels keep between them come from it, go back there, and are right") {
    const auto pool = std::make_shared<counting_pool>(k::current_device());
    {
        const with_allocator here(pool);
        const std::int64_t n = 100'003;
        const k::array<float> x = k::cast<float>(k::arange<int>(n) % 1000);
        CHECK(pool->gave(x.data()));
        CHECK(k::array<float>(x * 2 + 1).to_host()[999] == 1999);
        CHECK(k::sum(k::cast<double>(x)).item() == 49'950'000.0 + 3);
        const int before = pool->given();
        CHECK(k::array<float>(k::sort(x)).to_host()[n - 1] == 999);
        CHECK(pool->given() - before >= 1);
        const k::array<float> rows = k::reshape(x(k::range(0, 100'000)), {100, 1000});
        const k::array<float> centred = rows - k::mean(rows, k::axis(1), k::keep_dims);
        CHECK(centred.to_host()[0] == -499.5f);
        CHECK(k::array<float>(k::cumsum(rows, k::axis(0))).to_host()[99'999] == 99'900);
        k::array<float> y = x;
        y += 1;  // a copy of its own
        CHECK(pool->gave(y.data()));
        CHECK(y.to_host()[0] == 1);
        k::synchronize();
    }
    CHECK(pool->live() == 0);
    CHECK(pool->strangers() == 0);
}

TEST_CASE("use_allocator: a block goes back where it came from, and an allocator lives as long as its blocks") {
    const auto first = std::make_shared<counting_pool>(k::current_device());
    auto second = std::make_shared<counting_pool>(k::current_device());
    const std::weak_ptr<counting_pool> watched = second;
    k::array<float> of_kiln = k::ones<float>({1000});
    k::use_allocator(first);
    k::array<float> of_first = k::ones<float>({1000});
    k::use_allocator(second);
    k::array<float> of_second = of_first + of_kiln;
    CHECK(second->gave(of_second.data()));
    second.reset();
    k::use_allocator(nullptr);
    const k::array<float> after = of_second + 1;
    CHECK_FALSE(first->gave(after.data()));
    CHECK(first->live() == 1);
    CHECK_FALSE(watched.expired());
    of_first = k::array<float>();
    of_kiln = k::array<float>();
    CHECK(first->live() == 0);
    CHECK(of_second.to_host()[999] == 2);
    CHECK(watched.lock()->strangers() == 0);
    of_second = k::array<float>();
    CHECK(watched.expired());
    CHECK(after.to_host()[0] == 3);
}

TEST_CASE("use_allocator: one that has no memory is asked once more, and what it says is in the error") {
    counting_pool behind(k::current_device());
    int asked = 0;
    const auto later = [&](std::size_t bytes, void* stream) -> void* {
        return ++asked == 2 ? behind.allocate(bytes, stream) : nullptr;
    };
    auto reluctant = std::make_shared<pool_that<decltype(later)>>(later);
    {
        const with_allocator here(reluctant);
        k::array<float> x = k::ones<float>({100});
        CHECK(asked == 2);
        CHECK(x.to_host()[99] == 1);
        x = k::array<float>();
        REQUIRE(reluctant->returned);
        k::synchronize();
        behind.deallocate(reluctant->returned, 400, nullptr);

        const std::string none = said_by<k::out_of_memory>([] { k::array<float>(k::ones<float>({100})).wait(); });
        CHECK(contains(none,
                       "400 bytes asked for of the allocator in use (k::use_allocator): it gave none; 0 of its bytes"));
        CHECK(asked == 4);
    }
    const auto throws = [](std::size_t, void*) -> void* { throw std::runtime_error("the pool of 3 GB is used up"); };
    {
        const with_allocator here(std::make_shared<pool_that<decltype(throws)>>(throws));
        CHECK(contains(said_by<k::out_of_memory>([] { k::array<float>(k::ones<float>({100})).wait(); }),
                       "the pool of 3 GB is used up"));
    }
    CHECK(k::array<float>(k::ones<float>({100})).to_host()[0] == 1);
}

TEST_CASE("use_allocator: memory that is not aligned is given back, and refused") {
    alignas(256) static std::byte room[1024];
    const auto odd = [](std::size_t, void*) -> void* { return room + 16; };
    auto pool = std::make_shared<pool_that<decltype(odd)>>(odd);
    const with_allocator here(pool);
    CHECK(
        contains(said_by<k::device_error>([] { k::array<float>(k::ones<float>({10})).wait(); }), "not aligned to 256"));
    CHECK(pool->returned == room + 16);
}

TEST_CASE("use_allocator: while a profile watches, in a graph's replays, and from several threads at once") {
    const auto pool = std::make_shared<counting_pool>(k::current_device());
    {
        const with_allocator here(pool);
        {
            const k::profile watching;
            const k::array<float> x = k::ones<float>({5000});
            CHECK(pool->gave(x.data()));
            CHECK(k::sum(x * x).item() == 5000);
        }
        k::array<float> outlives;
        {
            const k::profile watching;
            outlives = k::ones<float>({5000});
        }
        CHECK(pool->gave(outlives.data()));

        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&wrong, t, on = k::current_device()] {
                const k::scoped_device mine(on);
                for (int i = 0; i < 50; ++i) {
                    const k::array<float> x = k::full<float>({1000 + i}, static_cast<float>(t));
                    if (k::sum(x).item() != static_cast<float>(t * (1000 + i))) ++wrong;
                }
            });
        for (std::thread& each : threads) each.join();
        CHECK(wrong == 0);
    }
    k::synchronize();
    CHECK(pool->live() == 0);
    CHECK(pool->strangers() == 0);
}

TEST_CASE("use_allocator: memory_use counts what arrays hold of it") {
    const auto pool = std::make_shared<counting_pool>(k::current_device());
    const with_allocator here(pool);
    const std::int64_t before = k::memory_use().array_bytes;
    k::array<float> x = k::ones<float>({1'000'000});
    CHECK(k::memory_use().array_bytes - before >= 4'000'000);
    x = k::array<float>();
    CHECK(k::memory_use().array_bytes == before);
}

TEST_CASE("out of memory: the error says which arrays hold how much") {
    const k::array<float> one = k::ones<float>({512, 1025});
    const k::array<float> two = one + 1;
    const k::array<double> other = k::ones<double>({262'147});
    const k::array<float> small = k::ones<float>({17, 19});
    const std::string said =
        said_by<k::out_of_memory>([] { k::array<float>(k::ones<float>({std::int64_t{1} << 50})).wait(); });
    CHECK(contains(said, "4503599627370496 bytes asked for"));
    CHECK(contains(said, "2 of float32 (512, 1025), 4198400 bytes"));
    CHECK(contains(said, "1 of float64 (262147,), 2097176 bytes"));
    CHECK_FALSE(contains(said, "(17, 19)"));
    CHECK(k::array<float>(two + 1).to_host()[0] == 3);
}
