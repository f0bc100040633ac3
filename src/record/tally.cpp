#include <record/tally.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <vector>

namespace kiln {

namespace record {

namespace {

struct registry {
    std::mutex mutex;
    std::vector<const tally*> living;
    counters retired;  // of threads that ended
};

// Leaked: threads may end after every static object is gone.
registry& all_tallies() {
    static registry* const instance = new registry;
    return *instance;
}

}  // namespace

tally::tally() {
    const std::lock_guard lock(all_tallies().mutex);
    all_tallies().living.push_back(this);
}

tally::~tally() {
    detail::mine = nullptr;
    const std::lock_guard lock(all_tallies().mutex);
    add_to(all_tallies().retired);
    std::erase(all_tallies().living, this);
}

void tally::add_to(counters& totals) const noexcept {
#define KILN_COUNTER(name, unit, what) \
    totals.name += values_[static_cast<int>(counter::name)].load(std::memory_order_relaxed);
#include <kiln/counter_table.def>
}

thread_local constinit tally* detail::mine = nullptr;

tally& detail::make_tally() {
    thread_local tally made;
    mine = &made;
    return made;
}

}  // namespace record

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
#define KILN_COUNTER(name, unit, what) out += text::format("{:<17} {:>16} {:<2}  {}\n", #name, counts.name, unit, what);
#include <kiln/counter_table.def>
    return out;
}

}  // namespace kiln
