// The manual, "Devices": arrays live on theirs, expressions run where their arrays are.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <string>
#include <vector>

namespace k = kiln;
using floats = std::vector<float>;

namespace {

/// Where there is a GPU; where not, what is said about it.
void on_a_gpu(const k::array<float>& x) {
    if (k::devices().size() == 1) {
        std::string said;
        try {
            k::array<float> there = k::to(k::cuda(0), x);
        } catch (const k::device_error& trouble) {
            said = trouble.what();
        }
        REQUIRE(!said.empty());
        return;
    }
    k::array<float> there = k::to(k::cuda(0), x);
    {
        k::scoped_device here(k::cpu);
        k::array<float> ones = k::ones<float>({10});
    }
    REQUIRE(there.device() == k::cuda(0) && there.device().name() == "cuda:0");
    REQUIRE(k::array<float>(there * 2).device() == k::cuda(0));
    REQUIRE(there.to_host() == x.to_host());
}

void everywhere(const k::array<float>& x) {
    k::array<float> total = x;
    for (const k::device& each : k::devices()) {  // the CPU, then the GPUs: k::cpu, k::cuda(0), k::cuda(1) ...
        k::array<float> there = k::to(each, x);   // a copy, or x itself if it is there already
        k::array<float> y = there * there;        // runs where its arrays are, so y is there too
        total += k::to(x.device(), y);
    }
    const auto count = static_cast<float>(k::devices().size());
    REQUIRE(total.device() == x.device());
    REQUIRE((total.to_host() == floats{1 + count, 2 + 4 * count, 3 + 9 * count}));
}

void for_a_while() {
    const k::device before = k::current_device();
    k::array<float> ones, three;
    {
        k::scoped_device here(k::cpu);  // for this thread, while it lives
        ones = k::ones<float>({3});     // no arrays in it: on the thread's device
        three = k::from_host<float>({1, 2, 3});
    }
    REQUIRE(ones.device() == k::cpu && three.device() == k::cpu && k::current_device() == before);
}

}  // namespace

int main() {
    const k::device usual = k::current_device();
    const k::array<float> x = k::from_host<float>({1, 2, 3});
    REQUIRE(x.device() == usual);
    everywhere(x);
    for_a_while();
    on_a_gpu(x);
    REQUIRE(k::current_device() == usual);
}
