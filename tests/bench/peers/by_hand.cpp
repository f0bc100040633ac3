#include "by_hand.hpp"

#include "by_hand_gpu.hpp"

#include <device/cpu/thread_pool.hpp>
#include <hand_written.hpp>

#include <cstring>
#include <stdexcept>

namespace kiln::bench {

namespace {

backend::thread_pool& threads() {
    static backend::thread_pool pool(backend::usable_thread_count());
    return pool;
}

/// `loop` writes rows or elements [begin, end) of `count`.
template <class T, class Loop>
program looped(const shape& extents, std::int64_t count, std::int64_t grain, Loop loop) {
    // The same memory as kiln's own: in large pages where there are any.
    const auto memory = std::make_shared<array<T>>(zeros<T>(extents));
    program out;
    out.run = [=, to = memory->data()] {
        threads().parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) { loop(to, begin, end); });
    };
    out.outputs = {output_of<T>([memory]() -> const array<T>& { return *memory; })};
    return out;
}

hand_written on_the_cpu(const std::string& name, const inputs& on) {
    if (name == "five_additions") {
        const auto& x = on.get<float>(0);
        return {looped<float>(x.shape(), x.size(), 4096,
                              [x, from = x.data()](float* to, std::int64_t begin, std::int64_t end) {
                                  five_x(to, from, begin, end);
                              }),
                "loop"};
    }
    if (name == "row_column_matrix") {
        const auto &row = on.get<float>(0), &column = on.get<float>(1), &m = on.get<float>(2);
        const std::int64_t edge = m.shape()[0];
        return {looped<float>(m.shape(), edge, 1,
                              [=, a = row.data(), b = column.data(), c = m.data(), keep = std::tuple(row, column, m)](
                                  float* to, std::int64_t begin, std::int64_t end) {
                                  row_column_matrix(to, a, b, c, edge, begin, end);
                              }),
                "loop"};
    }
    if (name == "plus_transposed") {
        const auto& m = on.get<float>(0);
        const std::int64_t edge = m.shape()[0];
        return {looped<float>(m.shape(), edge, 1,
                              [=, from = m.data()](float* to, std::int64_t begin, std::int64_t end) {
                                  plus_transposed(to, from, edge, begin, end);
                              }),
                "loop over tiles"};
    }
    if (name == "softmax") {
        const auto& m = on.get<float>(0);
        const std::int64_t length = m.shape()[1];
        return {looped<float>(m.shape(), m.shape()[0], 1,
                              [=, from = m.data()](float* to, std::int64_t begin, std::int64_t end) {
                                  softmax_of_rows(to, from, length, begin, end);
                              }),
                "loop"};
    }
    throw std::runtime_error("none");
}

}  // namespace

hand_written find_hand_written(const std::string& name, const inputs& on) {
    return current_device().is_cuda() ? hand_written_on_gpu(name, on) : on_the_cpu(name, on);
}

program copy_program(std::int64_t bytes) {
    if (current_device().is_cuda()) return copy_on_gpu(bytes);
    const std::int64_t count = bytes / 2 / static_cast<std::int64_t>(sizeof(float)) + 1;
    const array<float> from = zeros<float>({count});
    return looped<float>(
        {count}, count, 4096, [from, source = from.data()](float* to, std::int64_t begin, std::int64_t end) {
            std::memcpy(to + begin, source + begin, static_cast<std::size_t>(end - begin) * sizeof(float));
        });
}

}  // namespace kiln::bench
