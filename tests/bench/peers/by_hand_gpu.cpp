#include "by_hand_gpu.hpp"

#include <stdexcept>

#if KILN_HAS_CUDA

#include <gpu.hpp>
#include <hand_written.hpp>
#include <hand_written_gpu.hpp>
#include <hand_written_sums.hpp>

namespace kiln::bench {

namespace {

/// A launch of `kernel` on pointers and numbers, which it keeps.
struct launch {
    std::shared_ptr<gpu_kernel> kernel;
    std::int64_t blocks = 0;
    int threads = 256;
    std::vector<const void*> pointers = {};
    std::vector<float> scalars = {};
    std::vector<std::uint32_t> counts = {};
    int rows = 1;

    void operator()() {
        std::vector<void*> parameters;
        for (const void*& each : pointers) parameters.push_back(&each);
        for (float& each : scalars) parameters.push_back(&each);
        for (std::uint32_t& each : counts) parameters.push_back(&each);
        kernel->launch(nullptr, blocks, threads, parameters.data(), rows);
    }
};

/// `kept`: what the pointers point into.
template <class T, class... Kept>
program launches(launch how, std::shared_ptr<array<T>> result, Kept... kept) {
    program out;
    out.run = [how = std::move(how), result, kept...]() mutable { how(); };
    out.outputs = {output_of<T>([result]() -> const array<T>& { return *result; })};
    return out;
}

template <class T>
std::shared_ptr<array<T>> room(const shape& extents) {
    return std::make_shared<array<T>>(zeros<T>(extents));
}

std::shared_ptr<gpu_kernel> compiled(const char* name, const std::string& source) {
    return std::make_shared<gpu_kernel>(name, source);
}

hand_written five_additions(const inputs& on) {
    const array<float> x = on.get<float>(0);
    auto y = room<float>(x.shape());
    launch how{compiled(five_x_name, five_x_source), (x.size() + 1023) / 1024};
    how.pointers = {y->data(), x.data()};
    how.counts = {static_cast<std::uint32_t>(x.size())};
    return {launches(how, y, x), "4 elements a thread"};
}

hand_written table_product(const inputs& on) {
    const array<double> table = on.get<double>(0), x = on.get<double>(1);
    const std::int64_t layers = x.shape()[0];
    if (layers % 5 != 0) throw std::runtime_error("the layers are no multiple of 5");
    const table_variant variant{2, 5, /*streaming=*/true, /*flat=*/false};
    auto y = room<double>(x.shape());
    launch how{compiled(table_product_name, table_product_source(variant)),
               table_product_blocks(variant, table.size(), layers), table_threads};
    how.pointers = {y->data(), x.data(), table.data()};
    how.counts = {static_cast<std::uint32_t>(table.size())};
    how.rows = static_cast<int>(layers / 5);
    return {launches(how, y, table, x), variant.text()};
}

hand_written black_scholes(const inputs& on) {
    const array<float> s = on.get<float>(0), strike = on.get<float>(1), t = on.get<float>(2);
    auto y = room<float>(s.shape());
    launch how{compiled(black_scholes_name, black_scholes_source(4)), (s.size() + 1023) / 1024, black_scholes_threads};
    how.pointers = {y->data(), s.data(), strike.data(), t.data()};
    how.scalars = {0.02f, 0.3f};
    how.counts = {static_cast<std::uint32_t>(s.size())};
    return {launches(how, y, s, strike, t), "4 options a thread"};
}

hand_written column_sums(const inputs& on) {
    const array<float> a = on.get<float>(0), b = on.get<float>(1);
    const std::int64_t rows = a.shape()[0], columns = a.shape()[1];
    const sum_variant variant{256, 16, 4, false};
    if (columns % columns_of_block != 0 || rows % 128 != 0) throw std::runtime_error("no multiples of 128");
    auto sums = room<float>({columns});
    array<float> parts = zeros<float>({variant.blocks, columns});
    const std::int64_t groups = columns / columns_of_block;
    array<std::uint32_t> counters = zeros<std::uint32_t>({groups + 1});
    launch how{compiled(sum_name, column_source(variant)), groups, variant.threads};
    how.pointers = {sums->data(), a.data(), b.data(), parts.data(), counters.data()};
    how.counts = {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
    how.rows = variant.blocks;
    return {launches(how, sums, a, b, parts, counters), variant.text()};
}

/// The sum, of which the workload wants the mean: one division more or less.
hand_written squared_error(const inputs& on) {
    const array<float> x = on.get<float>(0), y = on.get<float>(1);
    const sum_variant variant{512, 1056, 4, true};
    auto sum = room<float>({});
    array<float> parts = zeros<float>({variant.blocks});
    array<std::uint32_t> counter = zeros<std::uint32_t>({1});
    launch how{compiled(sum_name, distance_source(variant)), variant.blocks, variant.threads};
    how.pointers = {sum->data(), x.data(), y.data(), parts.data(), counter.data()};
    how.counts = {static_cast<std::uint32_t>(x.size())};
    hand_written out{launches(how, sum, x, y, parts, counter), variant.text()};
    const double count = static_cast<double>(x.size());
    out.how.outputs[0].read = [sum, count](int, std::int64_t, std::int64_t) {
        return std::vector<double>{static_cast<double>(sum->item()) / count};
    };
    out.how.outputs[0].mean = [sum, count] { return static_cast<double>(sum->item()) / count; };
    return out;
}

}  // namespace

hand_written hand_written_on_gpu(const std::string& name, const inputs& on) {
    if (name == "five_additions") return five_additions(on);
    if (name == "table_product") return table_product(on);
    if (name == "black_scholes") return black_scholes(on);
    if (name == "column_sums") return column_sums(on);
    if (name == "squared_error") return squared_error(on);
    throw std::runtime_error("none");
}

program copy_on_gpu(std::int64_t bytes) {
    const std::int64_t count = bytes / 2 / static_cast<std::int64_t>(sizeof(float)) + 1;
    const array<float> from = zeros<float>({count});
    auto to = room<float>({count});
    program out;
    out.run = [from, to, source = from.data(), target = to->data(),
               length = static_cast<std::size_t>(count) * sizeof(float)] { copy_on(nullptr, target, source, length); };
    return out;
}

}  // namespace kiln::bench

#else

namespace kiln::bench {

hand_written hand_written_on_gpu(const std::string&, const inputs&) { throw std::runtime_error("built without CUDA"); }
program copy_on_gpu(std::int64_t) { throw std::runtime_error("built without CUDA"); }

}  // namespace kiln::bench

#endif
