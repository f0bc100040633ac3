// Copies in the background, clusters and tiles: as nests, where every way to go wrong is a fault, and as CUDA, which NVRTC compiles
// and a GPU runs.
#include "exchange_nests.hpp"
#include "run_nest.hpp"

#include <compile/nvrtc.hpp>
#include <emit/source.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/nest/print.hpp>

#include <device/gpu_bench.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <numeric>

namespace {

namespace nest = kiln::plan::nest;
using tests::exchange_cluster;
using tests::exchange_nest;
using tests::exchange_threads;

using numbers = std::vector<std::int64_t>;

struct exchange {
    std::vector<exchange_nest> nests;
    std::int64_t blocks = 1;
    std::int64_t tiles = 0;  // of the parameter, if there is one
    std::vector<numbers> inputs;
    numbers expected;
};

numbers some(std::size_t count, std::int64_t limit) {
    numbers out(count);
    std::uint64_t state = 88172645463325252u;
    for (std::int64_t& each : out) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        each = static_cast<std::int64_t>(state >> 40) % limit;
    }
    return out;
}

exchange of_copies(std::int64_t tiles) {
    exchange out{tests::background_copies(), 3, tiles, {}, {}};
    out.inputs = {some(static_cast<std::size_t>(3 * tiles * exchange_threads), 1000)};
    for (std::int64_t i = 0; i < 3 * tiles * exchange_threads; ++i)
        out.expected.push_back(out.inputs[0][static_cast<std::size_t>(i / exchange_threads * exchange_threads +
                                                                      exchange_threads - 1 - i % exchange_threads)]);
    return out;
}

/// Each block has what the block `further` on in its cluster had.
exchange of_cluster(std::vector<exchange_nest> nests, int further) {
    exchange out{std::move(nests), 3 * exchange_cluster, 0, {}, {}};
    out.inputs = {some(3 * exchange_cluster * exchange_threads, 1'000'000)};
    for (int i = 0; i < 3 * exchange_cluster * exchange_threads; ++i) {
        const int block = i / exchange_threads;
        const int other = block / exchange_cluster * exchange_cluster + (block + further) % exchange_cluster;
        out.expected.push_back(
            out.inputs[0][static_cast<std::size_t>(other * exchange_threads + i % exchange_threads)]);
    }
    return out;
}

exchange of_waves() {
    constexpr int warp = 32;
    exchange out{tests::wave_sums(), 3, 0, {}, {}};
    out.inputs = {some(3 * exchange_threads, 1000)};
    numbers before = out.inputs[0];
    for (int round = 0; round < 2; ++round) {
        out.expected.clear();
        for (int i = 0; i < 3 * exchange_threads; ++i) {
            const int first = i / warp * warp;
            out.expected.push_back(before[static_cast<std::size_t>(first + (i + 1) % warp)] +
                                   before[static_cast<std::size_t>(first)]);
        }
        before = out.expected;
    }
    return out;
}

exchange of_tiles(nest::tile_shape shape, bool by_squares) {
    const nest::tile& tile = nest::info(shape);
    const auto depth = static_cast<std::size_t>(tile.depth * tests::tile_products);
    const bool bits = shape == nest::tile_shape::b1;
    exchange out{tests::tile_sums(shape, by_squares), 1, 0, {}, {}};
    out.inputs = {some(16 * depth, bits ? 1ll << 32 : 11), some(8 * depth, bits ? 1ll << 32 : 11)};
    for (std::size_t y = 0; y < 16; ++y)
        for (std::size_t x = 0; x < 8; ++x) {
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                const std::int64_t a = out.inputs[0][y * depth + k];
                const std::int64_t b = out.inputs[1][x * depth + k];
                sum += bits ? std::popcount(static_cast<std::uint64_t>(a & b)) : a * b;
            }
            out.expected.push_back(sum);
        }
    return out;
}

std::vector<exchange> all_exchanges() {
    std::vector<exchange> out{of_copies(1),
                              of_copies(2),
                              of_copies(7),
                              of_waves(),
                              of_cluster(tests::remote_reads(), 1),
                              of_cluster(tests::remote_sends(), 2)};
    for (const nest::tile_shape shape :
         {nest::tile_shape::f16, nest::tile_shape::bf16, nest::tile_shape::s8, nest::tile_shape::b1})
        out.push_back(of_tiles(shape, false));
    out.push_back(of_tiles(nest::tile_shape::f16, true));
    out.push_back(of_tiles(nest::tile_shape::bf16, true));
    return out;
}

numbers run(const exchange& of, const nest::tree& tree, unsigned seed) {
    tests::device_memory y(of.expected.size());
    std::vector<tests::device_memory> inputs;
    for (const numbers& each : of.inputs) inputs.emplace_back(each.size()).elements = each;
    tests::nest_call call;
    call.blocks = of.blocks;
    call.seed = seed;
    if (of.tiles) call.numbers = {of.tiles};
    call.memories = {&y};
    for (tests::device_memory& each : inputs) call.memories.push_back(&each);
    tests::terms unused;
    run_nest(tree, call, unused);
    return y.elements;
}

kiln::emit::source source_of(const nest::tree& tree) { return kiln::emit::emit(tree, tree.name); }

/// Small whole numbers, in a memory's elements.
void put(std::int64_t number, kiln::element_type type, std::byte* to) {
    const auto as = [&](auto element) { std::memcpy(to, &element, sizeof element); };
    switch (type) {
        case kiln::element_type::float32: return as(static_cast<float>(number));
        case kiln::element_type::float16: return as(kiln::float16(static_cast<float>(number)));
        case kiln::element_type::bfloat16: return as(kiln::bfloat16(static_cast<float>(number)));
        case kiln::element_type::int8: return as(static_cast<std::int8_t>(number));
        default: return as(static_cast<std::uint32_t>(number));
    }
}
std::int64_t get(kiln::element_type type, const std::byte* from) {
    float real = 0;
    std::int32_t whole = 0;
    std::memcpy(&real, from, sizeof real);
    std::memcpy(&whole, from, sizeof whole);
    return type == kiln::element_type::float32 ? static_cast<std::int64_t>(real) : whole;
}

/// What a GPU makes of it. Results are 4 bytes each.
numbers run_on(kiln::backend::device& gpu, const exchange& of, const nest::tree& tree) {
    const kiln::emit::source source = source_of(tree);
    kiln::plan::kernel planned;
    planned.dynamic_shared_bytes = dynamic_shared_bytes(tree);
    const auto kernel = gpu.load(gpu.toolchain()->compile(source).bytes, source.name, {}, planned);
    REQUIRE(kernel != nullptr);
    struct device_copy {
        std::byte* at;
        std::size_t bytes;
    };
    std::vector<device_copy> copies;
    std::size_t memory = 0;
    for (std::size_t i = 0; i < tree.parameters.size(); ++i) {
        if (!is_address(tree.parameters[i].what)) continue;
        const kiln::element_type type = tree.memories[static_cast<std::size_t>(tree.parameter_of[i])].is.of;
        const auto size = static_cast<std::size_t>(bytes_of(type));
        const bool is_input = memory > 0;
        const numbers& from = is_input ? of.inputs[memory - 1] : of.expected;
        std::vector<std::byte> host(from.size() * size, std::byte{0xaa});
        for (std::size_t k = 0; is_input && k < from.size(); ++k) put(from[k], type, host.data() + k * size);
        copies.push_back({gpu.allocate(host.size()), host.size()});
        gpu.copy_from_host(copies.back().at, host.data(), host.size());
        ++memory;
    }
    std::vector<void*> parameters;
    for (device_copy& each : copies) parameters.push_back(&each.at);
    std::int64_t tiles = of.tiles;
    if (tiles) parameters.push_back(&tiles);
    tests::launch_arguments arguments;
    arguments.parameters = parameters.data();
    arguments.element_count = static_cast<std::int64_t>(of.expected.size());
    arguments.block_count = of.blocks;
    arguments.threads_per_block = tree.threads;
    arguments.stream = gpu.current_stream();
    gpu.launch(*kernel, arguments);
    std::vector<std::byte> host(copies[0].bytes);
    gpu.copy_to_host(host.data(), copies[0].at, host.size());
    for (const device_copy& each : copies) gpu.deallocate(each.at, each.bytes, 1);
    numbers out;
    for (std::size_t k = 0; k < of.expected.size(); ++k)
        out.push_back(get(tree.memories[static_cast<std::size_t>(tree.parameter_of[0])].is.of, host.data() + 4 * k));
    return out;
}

}  // namespace

TEST_CASE(
    "nests: what goes on in the background, in clusters and in tiles does what it says, and nothing that it may not") {
    for (const exchange& each : all_exchanges())
        for (const exchange_nest& one : each.nests) {
            CAPTURE(one.tree.name);
            CAPTURE(one.fault);
            if (one.fault.empty()) {
                for (const unsigned seed : {1u, 2u, 3u}) CHECK(run(each, one.tree, seed) == each.expected);
                continue;
            }
            if (each.tiles && each.tiles < 3) continue;  // too few to go wrong
            try {
                run(each, one.tree, 1);
                FAIL_CHECK("nothing was found");
            } catch (const tests::nest_fault& found) {
                CHECK_MESSAGE(std::string(found.what()).find(one.fault) != std::string::npos, found.what());
            }
        }
}

TEST_CASE("nests: NVRTC compiles what goes on in the background, in clusters and in tiles") {
    kiln::compile::nvrtc_toolchain nvrtc("sm_90");
    if (!KILN_HAS_CUDA || !nvrtc.is_there()) {
        MESSAGE("skipped: no NVRTC here, or no CUDA in this build");
        return;
    }
    for (const exchange& each : all_exchanges()) {
        CAPTURE(each.nests.front().tree.name);
        CHECK(!nvrtc.compile(source_of(each.nests.front().tree)).bytes.empty());
    }
}

TEST_CASE("nests: a GPU does what goes on in the background, in clusters and in tiles as their nests say") {
    if (!tests::gpu_is_there()) return;
    const std::unique_ptr<kiln::backend::device> gpu = tests::make_cuda_device(0);
    if (gpu->describe().target < "sm_90") {
        MESSAGE("skipped: this GPU has no clusters");
        return;
    }
    for (const exchange& each : all_exchanges()) {
        CAPTURE(each.nests.front().tree.name);
        CHECK(run_on(*gpu, each, each.nests.front().tree) == each.expected);
    }
}
