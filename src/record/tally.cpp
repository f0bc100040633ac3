#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <record/tally.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <vector>

namespace kiln::record {

namespace {

struct registry {
    std::mutex mutex;
    std::vector<const tally*> living;
    counters retired;  // of threads that ended
};

constinit process::immortal<registry> all_tallies;

const process::fork_participant held{process::fork_order::tallies, [] { all_tallies().mutex.lock(); },
                                     [] { all_tallies().mutex.unlock(); }};

}  // namespace

tally::tally() {
    const std::lock_guard lock(all_tallies().mutex);
    all_tallies().living.push_back(this);
}

tally::~tally() {
    const std::lock_guard lock(all_tallies().mutex);
    add_to(all_tallies().retired);
    std::erase(all_tallies().living, this);
}

void tally::add_to(counters& totals) const noexcept {
#define KILN_COUNTER(name, unit, what) \
    totals.name += values_[static_cast<int>(counter::name)].load(std::memory_order_relaxed);
#include <kiln/counter_table.def>
}

}  // namespace kiln::record

namespace kiln::inline v0_1 {

counters counters::now() {
    record::registry& tallies = record::all_tallies();
    const std::lock_guard lock(tallies.mutex);
    counters totals = tallies.retired;
    for (const record::tally* each : tallies.living) each->add_to(totals);
    return totals;
}

counters operator-(const counters& later, const counters& earlier) {
    counters difference;
#define KILN_COUNTER(name, unit, what) difference.name = later.name - earlier.name;
#include <kiln/counter_table.def>
    return difference;
}

std::string to_string(const counters& counts) {
    std::string out;
#define KILN_COUNTER(name, unit, what) out += text::format("{:<23} {:>16} {:<2}  {}\n", #name, counts.name, unit, what);
#include <kiln/counter_table.def>
    return out;
}

}  // namespace kiln::inline v0_1
