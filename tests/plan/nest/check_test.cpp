// plan/nest/check: nests that no device could run are found without running them, and no kernel that kiln makes is.
#include "exchange_nests.hpp"

#include <emit/kinds.hpp>
#include <plan/nest/builder.hpp>
#include <plan/nest/check.hpp>

#include <doctest/doctest.h>

#include <functional>

namespace {

namespace nest = kiln::plan::nest;
namespace types = nest::types;
using kiln::plan::role;
using kiln::plan::target;
using nest::builder;
using nest::id;
using nest::runner;
using nest::value;

constexpr auto real = types::element(kiln::element_type::float32);

struct parts {
    builder& to;
    id y, x;
    value count, block, thread;
};

std::string found(const std::function<void(const parts&)>& body, int threads = 256,
                  const target& on = kiln::plan::cuda_target) {
    builder to("kiln_tried", threads, false);
    const id y = to.memory_parameter({role::output}, "y0", real, true);
    const id x = to.memory_parameter({role::input}, "x0", real, false);
    const value count = to.number_parameter({role::element_count}, "count", types::number);
    const value block = to.loop_of(runner::grid, "block");
    const value thread = to.loop_of(runner::thread, "thread", threads);
    body({to, y, x, count, block, thread});
    return why_wrong(to.finish(), on);
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("nests: the check finds nothing in any kind of kernel") {
    int checked = 0;
    for (const tests::kind& each : tests::kinds()) {
        CHECK_MESSAGE(each.why_wrong.empty(), each.name, ": ", each.why_wrong);
        checked += !each.nest.empty();
    }
    CHECK(checked > 40);
}

TEST_CASE("nests: more than a device has is found") {
    const auto nothing = [](const parts&) {};
    CHECK(found(nothing) == "");
    CHECK(found(nothing, 1024) == "");
    CHECK(found(nothing, 1056) == "kiln_tried: 1056 threads of a block, where the device has 1024");
    const auto shared = [](int elements) {
        return found([=](const parts& all) { all.to.shared("s", real, elements); });
    };
    CHECK(shared(12 * 1024) == "");
    CHECK(says(shared(12 * 1024 + 1), "49156 bytes of shared memory, where the device has 49152"));
    const auto at_launch = [](int elements, int architecture) {
        return found(
            [=](const parts& all) {
                all.to.shared("s", real, 256);
                all.to.dynamic_shared("first", real, elements - 256 - 4);
                all.to.dynamic_shared("odd", real, 1);
            },
            256, kiln::plan::cuda_target_of(architecture));
    };
    CHECK(at_launch(227 * 256, 90) == "");
    CHECK(says(at_launch(227 * 256 + 1, 90), "232464 bytes of shared memory, where the device has 232448"));
    CHECK(at_launch(163 * 256, 80) == "");
    CHECK(at_launch(99 * 256, 89) == "");
    CHECK(says(at_launch(99 * 256 + 1, 120), "where the device has 101376"));
    CHECK(at_launch(64 * 256, 75) == "");
    CHECK(says(at_launch(64 * 256, 70), "65536 bytes of shared memory, where the device has 49152"));
    CHECK(says(found([](const parts& all) { all.to.own("s", real, 300); }), "300 registers, where the device has 255"));
    CHECK(says(found([](const parts& all) { all.to.cluster(2); }), "2 blocks of a cluster, where the device has 1"));
    CHECK(says(found([](const parts& all) { all.to.assign(all.to.at(all.x, all.thread), all.to.at(all.y, 0)); }),
               "stores to x0"));
}

TEST_CASE("nests: what a device does not have is found") {
    const auto why = [](const std::vector<tests::exchange_nest>& all, int architecture) {
        return why_wrong(all.front().tree, kiln::plan::cuda_target_of(architecture));
    };
    CHECK(says(why(tests::background_copies(), 75), "copies in the background, which the device does not have"));
    CHECK(why(tests::background_copies(), 80) == "");
    CHECK(says(why(tests::remote_reads(), 80), "4 blocks of a cluster, where the device has 1"));
    CHECK(why(tests::remote_reads(), 90) == "");
    CHECK(says(why(tests::tile_sums(nest::tile_shape::f16, true), 75), "tiles, which the device does not have"));
    CHECK(why(tests::tile_sums(nest::tile_shape::s8, false), 86) == "");
    target without = kiln::plan::cuda_target;
    without.wave_width = 1;
    CHECK(says(found([](const parts& all) { all.to.let("a", all.to.shuffle(all.thread, 0)); }, 256, without),
               "shuffles, which the device does not have"));
}

TEST_CASE("nests: a barrier or an exchange that some threads may not meet is found") {
    const auto in_condition = [](const std::function<value(const parts&)>& condition) {
        return found([&](const parts& all) { all.to.when(condition(all), [&] { all.to.barrier(); }); });
    };
    CHECK(in_condition([](const parts& all) { return all.block < 7; }) == "");
    CHECK(in_condition([](const parts& all) { return all.count < 7; }) == "");
    CHECK(in_condition([](const parts& all) { return all.to.at(all.x, all.block) < 7; }) == "");
    const char* const barrier = "a barrier that some threads of the block may not meet";
    CHECK(says(in_condition([](const parts& all) { return all.thread < 7; }), barrier));
    CHECK(says(in_condition([](const parts& all) { return all.to.at(all.x, all.thread) < 7; }), barrier));
    CHECK(says(in_condition([](const parts& all) { return all.to.let("i", all.block * 256 + all.thread) < all.count; }),
               barrier));
    // A variable that threads set each in its own way.
    CHECK(says(found([](const parts& all) {
                   const value changes = all.to.variable("changes", types::small, 0);
                   all.to.when(all.thread < 7, [&] { all.to.assign(changes, 1); });
                   all.to.when(changes < 1, [&] { all.to.barrier(); });
               }),
               barrier));
    // Known at a loop's second turn alone.
    CHECK(says(found([](const parts& all) {
                   const value changes = all.to.variable("changes", types::small, 0);
                   all.to.loop(runner::serial, "turn", 0, all.count, 1, [&](value) {
                       all.to.when(changes < 1, [&] { all.to.barrier(); });
                       all.to.assign(changes, all.thread);
                   });
               }),
               barrier));
    CHECK(says(found([](const parts& all) {
                   all.to.loop(runner::serial, "turn", all.thread, all.count, 1, [&](value) { all.to.barrier(); });
               }),
               barrier));
    // Who left does not come back.
    CHECK(says(found([](const parts& all) {
                   all.to.loop(runner::serial, "turn", 0, all.count, 1, [&](value) {
                       all.to.barrier();
                       all.to.when(all.thread < 7, [&] { all.to.leave(); });
                   });
               }),
               barrier));
    CHECK(found([](const parts& all) {
              all.to.loop(runner::serial, "turn", 0, all.count, 1, [&](value turn) {
                  all.to.loop(runner::serial, "other", 0, 3, 1,
                              [&](value) { all.to.when(all.thread < 7, [&] { all.to.leave(); }); });
                  all.to.barrier();
                  all.to.when(turn < 7, [&] { all.to.leave(); });
              });
          }) == "");
    // An exchange is of a warp.
    const auto exchange_if = [](const std::function<value(const parts&)>& condition) {
        return found([&](const parts& all) {
            all.to.when(condition(all), [&] { all.to.let("mine", all.to.shuffle(all.thread, 0)); });
        });
    };
    CHECK(exchange_if([](const parts& all) { return all.thread / 32 < 1; }) == "");
    CHECK(says(exchange_if([](const parts& all) { return all.thread / 16 < 1; }),
               "an exchange that some threads of a warp may not meet"));
    const auto warps_meet_if = [](const std::function<value(const parts&)>& condition) {
        return found([&](const parts& all) { all.to.when(condition(all), [&] { all.to.wave_barrier(); }); });
    };
    CHECK(warps_meet_if([](const parts& all) { return all.thread / 32 < 1; }) == "");
    CHECK(says(warps_meet_if([](const parts& all) { return all.thread / 16 < 1; }),
               "a barrier that some threads of a warp may not meet"));
    const auto wrong_tile = tests::tile_sums(nest::tile_shape::f16, false)[1];
    CHECK(says(why_wrong(wrong_tile.tree, kiln::plan::cuda_target_of(90)),
               "a tile that some threads of a warp may not meet"));
}

TEST_CASE("nests: stages that are not all of the block, wait for none before them or meet others are found") {
    struct stage {
        int threads = 64;
        std::initializer_list<int> after = {};
        int ahead = 0;
    };
    const auto why = [](const stage& first, const stage& second, int threads,
                        const std::function<void(const parts&)>& inside, int architecture = 90) {
        return found(
            [&](const parts& all) {
                const id states = all.to.memory_parameter({role::scan_offsets}, "states",
                                                          types::published(kiln::element_type::float32), true);
                all.to.stages(states, all.to.constant(7, types::word), 2, [&](const value&, const value&) {
                    all.to.stage("a", first.threads, first.after, first.ahead, [](const value&) {});
                    all.to.stage("b", second.threads, second.after, second.ahead, [&](const value& of_stage) {
                        inside({all.to, all.y, all.x, all.count, all.block, of_stage});
                    });
                });
            },
            threads, kiln::plan::cuda_target_of(architecture));
    };
    const auto nothing = [](const parts&) {};
    CHECK(why({}, {64, {0}}, 160, nothing) == "");
    CHECK(why({64, {}, 2}, {64, {0}}, 160, [](const parts& all) { all.to.stage_barrier(); }) == "");
    CHECK(says(why({}, {64, {0}}, 160, nothing, 75), "stages, which the device does not have"));
    CHECK(says(why({}, {64, {0}}, 128, nothing), "160 threads of stages, of 128"));
    CHECK(says(why({48}, {64, {0}}, 160, nothing), "a stage of parts of warps"));
    CHECK(says(why({}, {}, 160, nothing), "a last stage that is not after all others"));
    CHECK(says(why({64, {0}}, {64, {0}}, 160, nothing), "a stage after itself"));
    CHECK(says(why({64, {}, 3}, {64, {0}}, 160, nothing), "copies underway of more items than there are slots"));
    CHECK(says(why({64, {}, 2}, {64, {0}, 2}, 160, nothing), "copies underway of two stages"));
    CHECK(
        says(why({}, {64, {0}}, 160, [](const parts& all) { all.to.barrier(); }), "a barrier of the block in a stage"));
    CHECK(says(
        why({}, {64, {0}}, 160, [](const parts& all) { all.to.when(all.thread < 7, [&] { all.to.stage_barrier(); }); }),
        "a stage's barrier that some threads of the block may not meet"));
    CHECK(says(found([](const parts& all) { all.to.stage_barrier(); }), "a stage's barrier outside"));
    const auto without_any = [](const parts& all) {
        all.to.stages(all.x, all.to.constant(7, types::word), 2, [](const value&, const value&) {});
    };
    CHECK(says(found(without_any, 32, kiln::plan::cuda_target_of(90)), "stages without any"));
}
