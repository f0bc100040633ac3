// What a debugger stops in: tests/debugger.cmake.
#include <kiln/kiln.hpp>

namespace k = kiln;

[[gnu::noinline]] void stop_here(const k::array<float>& table, const k::array<k::bfloat16>& none) {
    asm volatile("" : : "r"(&table), "r"(&none) : "memory");
}

int main() {
    const k::array<float> table = k::reshape(k::arange<float>(6) / 2, {2, 3});
    stop_here(table, k::array<k::bfloat16>());
}
