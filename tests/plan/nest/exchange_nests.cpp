#include "exchange_nests.hpp"

#include <plan/nest/builder.hpp>

#include <text/format.hpp>

namespace tests {

namespace {

namespace nest = kiln::plan::nest;
namespace types = nest::types;
using kiln::element_type;
using kiln::plan::role;
using nest::builder;
using nest::id;
using nest::runner;
using nest::value;

id result(builder& to, element_type type) {
    return to.memory_parameter({role::output}, "y0", types::element(type), true);
}
id operand(builder& to, element_type type, int number = 0) {
    return to.memory_parameter({role::input, number}, kiln::text::format("x{}", number), types::element(type), false);
}

}  // namespace

std::vector<exchange_nest> background_copies() {
    enum class wrong { nothing, waits_too_little, no_barrier_after, no_barrier_before, misaligned };
    const auto make = [](wrong how) {
        constexpr int at_once = 4;
        builder to("kiln_reversed_tiles", exchange_threads, false);
        const id y = result(to, element_type::float32);
        const id x = operand(to, element_type::float32);
        const value tiles = to.number_parameter({role::element_count}, "tiles", types::word);
        const id both = to.dynamic_shared("tile", types::element(element_type::float32), 2 * exchange_threads);
        const value block = to.loop_of(runner::grid, "block");
        const value thread = to.loop_of(runner::thread, "thread", exchange_threads);
        const value first = to.let("first", types::number, block * tiles * exchange_threads);
        const auto vector = types::vector(element_type::float32, at_once);
        const auto copy = [&](value tile) {
            to.when(thread < exchange_threads / at_once, [&] {
                const value from = thread * at_once + (how == wrong::misaligned ? 1 : 0);
                to.copy_async(to.at(both, tile % 2 * exchange_threads + from, vector),
                              to.at(x, first + tile * exchange_threads + thread * at_once, vector));
            });
        };
        copy(to.constant(0));
        to.commit_copies();
        to.loop(
            runner::serial, "tile_number", 0, tiles, 1,
            [&](value tile) {
                if (how != wrong::no_barrier_before) to.barrier();
                to.when(tile + 1 < tiles, [&] { copy(tile + 1); });
                to.commit_copies();
                to.wait_copies(how == wrong::waits_too_little ? 2 : 1);
                if (how != wrong::no_barrier_after) to.barrier();
                to.assign(to.at(y, first + tile * exchange_threads + thread),
                          to.at(both, tile % 2 * exchange_threads + to.constant(exchange_threads - 1) - thread));
            },
            0);
        return to.finish();
    };
    return {{make(wrong::nothing), ""},
            {make(wrong::waits_too_little), "is read while it is underway"},
            {make(wrong::no_barrier_after), "is read"},
            {make(wrong::no_barrier_before), "is stored while others are there"},
            {make(wrong::misaligned), "is no place for a vector"}};
}

std::vector<exchange_nest> wave_sums() {
    enum class wrong { nothing, no_barrier_before, no_barrier_after, other_warp, other_warp_reads };
    const auto make = [](wrong how) {
        constexpr int warp = 32;
        builder to("kiln_sums_in_warps", exchange_threads, false);
        const id y = result(to, element_type::int32);
        const id x = operand(to, element_type::int32);
        const id all = to.shared("all", types::element(element_type::int32), exchange_threads);
        const value block = to.loop_of(runner::grid, "block");
        const value thread = to.loop_of(runner::thread, "thread", exchange_threads);
        const value i = to.let("i", types::number, block * exchange_threads + thread);
        const value first = to.let("first_of_warp", types::small, thread / warp * warp);
        const value sum = to.variable("sum", types::element(element_type::int32), to.at(x, i));
        to.loop(runner::serial, "round", 0, 2, 1, [&](value) {
            to.assign(to.at(all, thread), sum);
            if (how != wrong::no_barrier_before) to.wave_barrier();
            // All lanes read one place, too.
            const value next = how == wrong::other_warp ? (thread + 1) % exchange_threads : first + (thread + 1) % warp;
            to.assign(sum, to.at(all, next) + to.at(all, first));
            if (how == wrong::other_warp_reads) to.let("other", to.at(all, (first + warp) % exchange_threads));
            if (how != wrong::no_barrier_after) to.wave_barrier();
        });
        to.assign(to.at(y, i), sum);
        return to.finish();
    };
    return {{make(wrong::nothing), ""},
            {make(wrong::no_barrier_before), "is read as it is stored"},
            {make(wrong::no_barrier_after), "is stored while others are there"},
            {make(wrong::other_warp), "is read as it is stored"},
            {make(wrong::other_warp_reads), "is read as it is stored"}};
}

std::vector<exchange_nest> remote_reads() {
    enum class wrong { nothing, no_barrier_before, block_barrier, no_barrier_after, outside };
    const auto make = [](wrong how) {
        builder to("kiln_next_block", exchange_threads, false);
        to.cluster(exchange_cluster);
        const id y = result(to, element_type::int32);
        const id x = operand(to, element_type::int32);
        const id row = to.shared("row", types::element(element_type::int32), exchange_threads);
        const value cluster = to.loop_of(runner::grid, "cluster");
        const value block = to.loop_of(runner::cluster, "block", exchange_cluster);
        const value thread = to.loop_of(runner::thread, "thread", exchange_threads);
        const value i = to.let("i", types::number, (cluster * exchange_cluster + block) * exchange_threads + thread);
        to.assign(to.at(row, thread), to.at(x, i));
        if (how == wrong::block_barrier) to.barrier();
        else if (how != wrong::no_barrier_before) to.cluster_barrier();
        const value next = how == wrong::outside ? block + 1 : (block + 1) % exchange_cluster;
        to.assign(to.at(y, i), to.remote(row, thread, next));
        if (how != wrong::no_barrier_after) to.cluster_barrier();
        return to.finish();
    };
    return {{make(wrong::nothing), ""},
            {make(wrong::no_barrier_before), "may not have begun"},
            {make(wrong::block_barrier), "may not have begun"},
            {make(wrong::no_barrier_after), "may have ended"},
            {make(wrong::outside), "outside of the cluster"}};
}

std::vector<exchange_nest> remote_sends() {
    enum class wrong { nothing, not_made, too_few_bytes, one_waits, other_parity, no_barrier_between };
    const auto make = [](wrong how) {
        builder to("kiln_sent_to_next_block", exchange_threads, false);
        to.cluster(exchange_cluster);
        const id y = result(to, element_type::int32);
        const id x = operand(to, element_type::int32);
        const id box = to.shared("box", types::element(element_type::int32), exchange_threads);
        const id full = to.shared("full", types::mbarrier, 1);
        const value cluster = to.loop_of(runner::grid, "cluster");
        const value block = to.loop_of(runner::cluster, "block", exchange_cluster);
        const value thread = to.loop_of(runner::thread, "thread", exchange_threads);
        const value i = to.let("i", types::number, (cluster * exchange_cluster + block) * exchange_threads + thread);
        const value next = to.let("next", (block + 1) % exchange_cluster);
        to.when(thread == 0, [&] { to.init_mbarrier(to.at(full, 0), 1); });
        if (how != wrong::not_made) to.cluster_barrier();
        const value sent = to.variable("sent", types::element(element_type::int32), to.at(x, i));
        to.loop(runner::serial, "turn", 0, 2, 1, [&](value turn) {
            const int bytes = 4 * exchange_threads - (how == wrong::too_few_bytes ? 4 : 0);
            to.when(thread == 0, [&] { to.arrive(to.at(full, 0), bytes); });
            to.store_async(to.remote(box, thread, next), sent, to.remote(full, 0, next));
            const value parity = how == wrong::other_parity ? to.constant(0) : turn;
            if (how == wrong::one_waits) to.when(thread == 0, [&] { to.wait_mbarrier(to.at(full, 0), parity); });
            else to.wait_mbarrier(to.at(full, 0), parity);
            to.assign(sent, to.at(box, thread));
            if (how != wrong::no_barrier_between) to.cluster_barrier();
        });
        to.assign(to.at(y, i), sent);
        return to.finish();
    };
    return {{make(wrong::nothing), ""},
            {make(wrong::not_made), "may not have begun"},
            {make(wrong::too_few_bytes), "is read while it is underway"},
            {make(wrong::one_waits), "is read"},
            {make(wrong::other_parity), "for what does not come"},
            {make(wrong::no_barrier_between), "is stored while others are there"}};
}

std::vector<exchange_nest> tile_sums(nest::tile_shape shape, bool by_squares) {
    enum class wrong { nothing, not_all_threads, no_sums, no_barrier };
    const nest::tile& tile = nest::info(shape);
    const auto make = [&](wrong how) {
        const int depth = tile.depth * tile_products;
        builder to(kiln::text::format("kiln_tile_{}", tile.name), 32, false);
        const auto element = types::element(tile.of);
        const auto registers = tile.parts > 1 ? types::vector(tile.of, tile.parts) : element;
        const id y = result(to, tile.sums);
        const id x0 = operand(to, tile.of, 0);
        const id x1 = operand(to, tile.of, 1);
        const id rows = to.shared("rows", element, nest::tile::rows * depth, 16);
        const id columns = to.shared("columns", element, nest::tile::columns * depth, 16);
        to.loop_of(runner::grid, "block");
        const value lane = to.loop_of(runner::thread, "lane", 32);
        // The rows one after the other, and the columns.
        to.loop(runner::serial, "i", lane, nest::tile::rows * depth, 32,
                [&](value i) { to.assign(to.at(rows, i), to.at(x0, i)); });
        to.loop(runner::serial, "i", lane, nest::tile::columns * depth, 32,
                [&](value i) { to.assign(to.at(columns, i), to.at(x1, i)); });
        if (how != wrong::no_barrier) to.barrier();
        const id a = to.own("a", registers, nest::tile::registers_of_a);
        const id b = to.own("b", registers, nest::tile::registers_of_b);
        const id sums = to.own("sums", types::element(tile.sums), nest::tile::sums_of_thread);
        if (how != wrong::no_sums)
            to.unrolled("j", nest::tile::sums_of_thread, [&](value j) { to.assign(to.at(sums, j), 0); });
        const auto multiply = [&](value first) {
            if (by_squares) {
                // Squares of 8 rows of 16 bytes: of a the upper and the lower rows, near and then far.
                const int near = tile.depth / 2;
                to.load_tile(to.at(a, 0), 4, to.at(rows, lane % 16 * depth + lane / 16 * near + first), false);
                to.load_tile(to.at(b, 0), 2, to.at(columns, lane % 8 * depth + lane / 8 % 2 * near + first), false);
            } else {
                for (int r = 0; r < nest::tile::registers_of_a; ++r)
                    to.assign(
                        to.at(a, r),
                        to.at(rows, nest::tile_row_of_a(lane, r) * depth + nest::tile_depth_of_a(tile, lane, r) + first,
                              registers));
                for (int r = 0; r < nest::tile::registers_of_b; ++r)
                    to.assign(to.at(b, r),
                              to.at(columns,
                                    nest::tile_column_of_b(lane) * depth + nest::tile_depth_of_b(tile, lane, r) + first,
                                    registers));
            }
            to.multiply_tile(shape, to.at(sums, 0), to.at(a, 0), to.at(b, 0));
        };
        to.loop(runner::serial, "first", 0, depth, tile.depth, [&](value first) {
            if (how == wrong::not_all_threads) to.when(lane < 16, [&] { multiply(first); });
            else multiply(first);
        });
        for (int r = 0; r < nest::tile::sums_of_thread; ++r)
            to.assign(
                to.at(y, nest::tile_row_of_sum(lane, r) * nest::tile::columns + nest::tile_column_of_sum(lane, r)),
                to.at(sums, r));
        return to.finish();
    };
    return {{make(wrong::nothing), ""},
            {make(wrong::not_all_threads), "a tile is of a warp"},
            {make(wrong::no_sums), "adds to what was never set"},
            {make(wrong::no_barrier), "is read as it is stored"}};
}

}  // namespace tests
