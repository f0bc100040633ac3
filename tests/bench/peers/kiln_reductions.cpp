// workloads/reductions.py and rows.py
#include "kiln_side.hpp"

namespace kiln::bench {

namespace {

namespace k = kiln;
using k::keep_dims;

program total(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = k::sum(x); });
}

program squared_error(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& y = in.get<float>(1);
    return computes<float>([=](k::array<float>& loss) { loss = k::mean((x - y) * (x - y)); });
}

program huber(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& y = in.get<float>(1);
    return computes<float>([=](k::array<float>& loss) {
        const auto error = k::abs(x - y);
        loss = k::mean(k::where(error < 1, 0.5f * error * error, error - 0.5f));
    });
}

program variance(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = k::var(x); });
}

program largest(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<std::int64_t>([=](k::array<std::int64_t>& y) { y = k::argmax(x); });
}

program column_sums(const inputs& in) {
    const auto& a = in.get<float>(0);
    const auto& b = in.get<float>(1);
    return computes<float>([=](k::array<float>& y) { y = k::sum(a * b, k::axis(0)); });
}

program row_sums(const inputs& in) {
    const auto& a = in.get<float>(0);
    const auto& b = in.get<float>(1);
    return computes<float>([=](k::array<float>& y) { y = k::sum(a * b, k::axis(1)); });
}

program running_total(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = k::cumsum(x); });
}

program running_columns(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = k::cumsum(x, k::axis(0)); });
}

// --- Rows ------------------------------------------------------------------------------------------------------------

program column_scores(const inputs& in) {
    const auto& x = in.get<float>(0);
    return computes<float>([=](k::array<float>& y) { y = (x - k::mean(x, k::axis(0))) / k::stddev(x, k::axis(0)); });
}

/// Along an axis of whatever rank.
program softmax_along(const k::array<float>& x, int axis) {
    return computes<float>([=](k::array<float>& y) {
        const auto e = k::exp(x - k::max(x, k::axis(axis), keep_dims));
        y = e / k::sum(e, k::axis(axis), keep_dims);
    });
}

program softmax(const inputs& in) { return softmax_along(in.get<float>(0), 1); }
program small_softmax(const inputs& in) { return softmax_along(in.get<float>(0), 1); }
program middle_softmax(const inputs& in) { return softmax_along(in.get<float>(0), 1); }

program layer_norm(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& scale = in.get<float>(1);
    const auto& offset = in.get<float>(2);
    return computes<float>([=](k::array<float>& y) {
        const auto mean = k::mean(x, k::axis(1), keep_dims);
        const auto variance = k::var(x, k::axis(1), keep_dims);
        y = (x - mean) / k::sqrt(variance + 1e-5f) * scale + offset;
    });
}

program rms_norm(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& weight = in.get<float>(1);
    return computes<float>(
        [=](k::array<float>& y) { y = x / k::sqrt(k::mean(x * x, k::axis(1), keep_dims) + 1e-6f) * weight; });
}

program cross_entropy(const inputs& in) {
    const auto& logits = in.get<float>(0);
    const auto& label = in.get<std::int64_t>(1);
    return computes<float>([=](k::array<float>& loss) {
        const auto shifted = logits - k::max(logits, k::axis(1), keep_dims);
        const auto of_label =
            k::sum(k::where(k::arange<std::int64_t>(logits.shape()[1]) == label(k::all, k::newaxis), shifted, 0.0f),
                   k::axis(1));
        loss = k::log(k::sum(k::exp(shifted), k::axis(1))) - of_label;
    });
}

program attention(const inputs& in) {
    const auto& scores = in.get<float>(0);
    const auto& position = in.get<float>(1);
    return computes<float>([=](k::array<float>& y) {
        const auto seen = k::arange<float>(scores.shape()[2]) <= position;
        const auto masked = k::where(seen, scores * 0.125f, -1e9f);
        const auto e = k::exp(masked - k::max(masked, k::axis(2), keep_dims));
        y = e / k::sum(e, k::axis(2), keep_dims);
    });
}

program batch_norm(const inputs& in) {
    const auto& x = in.get<float>(0);
    const auto& scale = in.get<float>(1);
    const auto& offset = in.get<float>(2);
    return computes<float>([=](k::array<float>& y) {
        const auto mean = k::mean(x, k::axes(0, 2, 3), keep_dims);
        const auto variance = k::var(x, k::axes(0, 2, 3), keep_dims);
        y = (x - mean) / k::sqrt(variance + 1e-5f) * scale + offset;
    });
}

}  // namespace

const workload_list& reduction_workloads() {
    static const workload_list all = {
        {"total", total},
        {"squared_error", squared_error},
        {"huber", huber},
        {"variance", variance},
        {"largest", largest},
        {"column_sums", column_sums},
        {"row_sums", row_sums},
        {"running_total", running_total},
        {"running_columns", running_columns},
        {"column_scores", column_scores},
        {"softmax", softmax},
        {"small_softmax", small_softmax},
        {"middle_softmax", middle_softmax},
        {"layer_norm", layer_norm},
        {"rms_norm", rms_norm},
        {"cross_entropy", cross_entropy},
        {"attention", attention},
        {"batch_norm", batch_norm},
    };
    return all;
}

}  // namespace kiln::bench
