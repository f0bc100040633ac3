// A program, a library of its author's and kiln: what there is once in a process is one object for all three, and what one
// throws another catches. Exits 0 if so.
#include "part.hpp"

#include <kiln/kiln.hpp>

#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

namespace k = kiln;

namespace {

int failures = 0;
void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("does not hold: %s\n", what);
    ++failures;
}

void throw_own_shape_error() { throw k::shape_error("the program's own"); }

const std::type_info* type_thrown_by(void (*thrower)()) {
    try {
        thrower();
    } catch (const k::error& caught) {
        return &typeid(caught);
    } catch (...) {
    }
    return nullptr;
}

void exceptions_cross() {
    check(&part::type_of_shape_error() == &typeid(k::shape_error), "one type_info");
    check(type_thrown_by(part::throw_librarys_shape_error) == &typeid(k::shape_error), "kiln throws it too");
    check(type_thrown_by(part::throw_own_shape_error) == &typeid(k::shape_error), "the program catches the part's");
    check(part::catches(throw_own_shape_error), "the part catches the program's");
}

void objects_are_one() {
    check(part::thread_options() == &k::current_options(), "one set of options in a thread");
    check(part::capture_counter() == &k::detail::last_capture, "one counter of captures in a thread");

    const k::array<float> x = k::from_host<float>({1.0f, 2.5f, -4.0f});
    // Numbers of two libraries in one expression.
    const k::array<float> y = k::expr<float>(x * 2.0f) + part::tripled(x);
    check(y.to_host() == std::vector<float>{5.0f, 12.5f, -20.0f}, "2 x + 3 x is 5 x");

    const k::array<float> here = x + x + x;
    const k::counters before = k::counters::now();
    const k::array<float> there = part::sum_of_three(x);
    const k::counters fused = k::counters::now() - before;
    check(there.to_host() == here.to_host(), "both evaluate it");
    check(fused.launches == 1, "as one kernel");
    check(fused.compiles == 0 && fused.disk_hits == 0, "which the program has loaded");
    check(part::launches() == k::counters::now().launches, "one set of counters");

    const k::scoped_options apart({.fuse = false});
    const k::counters start = k::counters::now();
    check(part::sum_of_three(x).to_host() == here.to_host(), "it has the same bits in two kernels");
    check((k::counters::now() - start).launches == 2, "the program's options count in the part");
}

/// An array dies in code of the program's; the library, which carries it, must know.
void dead_arrays_are_seen() {
    auto carried = std::make_unique<k::array<float>>(k::ones<float>({4}));
    k::graph step({carried.get()}, [&] { *carried = *carried + 1.0f; });
    carried.reset();
    bool refused = false;
    try {
        step.replay(1);
    } catch (const k::error&) {
        refused = true;
    }
    check(refused, "a graph whose array died is not replayed");
}

}  // namespace

int main() {
    exceptions_cross();
    dead_arrays_are_seen();
    objects_are_one();
    std::thread(objects_are_one).join();
    if (failures == 0) std::printf("one process, one kiln\n");
    return failures;
}
