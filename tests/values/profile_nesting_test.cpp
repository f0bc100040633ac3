// What lies in what, of a profile's events: api/profile/nesting, api/profile/lanes.
#include <api/profile/lanes.hpp>
#include <api/profile/nesting.hpp>

#include <doctest/doctest.h>

#include <map>
#include <vector>

namespace k = kiln;
using k::detail::nested_interval;
using k::detail::no_interval;

namespace {

std::map<std::size_t, nested_interval> by_number(const std::vector<k::detail::interval>& all) {
    std::map<std::size_t, nested_interval> out;
    for (const nested_interval& each : k::detail::nested(all)) out[each.number] = each;
    return out;
}

k::profile_event event(int thread, std::int64_t begin_ns, std::int64_t end_ns) {
    k::profile_event out;
    out.thread = thread;
    out.begin_ns = begin_ns;
    out.end_ns = end_ns;
    return out;
}

k::profile_event run(int stream, std::int64_t begin_ns, std::int64_t ns) {
    k::profile_event out;
    out.device = "cpu";
    out.stream = stream;
    out.run_begin_ns = begin_ns;
    out.run_ns = ns;
    return out;
}

}  // namespace

TEST_CASE("a profile's intervals lie in the innermost one around them, each thread for itself") {
    const auto found = by_number({{1, 2, 3}, {1, 1, 4}, {1, 0, 10}, {2, 1, 2}, {1, 4, 5}, {1, 10, 12}});
    CHECK(found.at(0).around == 1);
    CHECK(found.at(1).around == 2);
    CHECK(found.at(2).around == no_interval);
    CHECK(found.at(3).around == no_interval);
    CHECK(found.at(4).around == 2);
    CHECK(found.at(5).around == no_interval);
}

TEST_CASE("a profile's interval that would end inside a later one ends where that begins, with all that is inside it") {
    const auto found = by_number({{1, 0, 10}, {1, 5, 9}, {1, 8, 15}});
    CHECK(found.at(0).end_ns == 8);
    CHECK(found.at(1).end_ns == 8);
    CHECK(found.at(2).end_ns == 15);
    CHECK(found.at(2).around == no_interval);
}

TEST_CASE("of a profile's equal intervals the earlier number is around the other") {
    const auto found = by_number({{1, 0, 10}, {1, 0, 10}});
    CHECK(found.at(0).around == no_interval);
    CHECK(found.at(1).around == 0);
}

TEST_CASE("an event's own host time in a profile is without the events directly inside it") {
    const std::vector<k::profile_event> events{event(1, 2, 3), event(1, 1, 5), event(2, 0, 7), event(1, 0, 10)};
    CHECK(k::detail::own_host_ns(events) == std::vector<std::int64_t>{1, 3, 7, 6});
}

TEST_CASE("runs of one stream that overlap in a profile have lanes of their own; a free lane is used again") {
    const auto lanes = k::detail::lanes_of({run(0, 0, 10), run(0, 5, 10), run(1, 5, 1), run(0, 10, 3), run(0, 20, 0)});
    REQUIRE(lanes.size() == 3);
    CHECK(lanes[0].name == "cpu stream 0");
    CHECK(lanes[0].events == std::vector<std::size_t>{0, 3});
    CHECK(lanes[1].name == "cpu stream 0 (2)");
    CHECK(lanes[1].events == std::vector<std::size_t>{1});
    CHECK(lanes[2].name == "cpu stream 1");
    CHECK(lanes[2].events == std::vector<std::size_t>{2});
}
