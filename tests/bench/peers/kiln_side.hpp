// tests/bench/peers/kiln_side: the workloads of tests/bench/peers/workloads, as a user of kiln writes them, by name.
// in: inputs, made from their descriptions   out: what computes a workload once, and its results
#pragma once

#include <kiln/kiln.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln::bench {

/// The arrays of a workload, in the order in which its description has them.
class inputs {
public:
    template <class T>
    void add(array<T> made) {
        arrays_.emplace_back(std::move(made));
    }
    /// Throws std::bad_any_cast where the description has another type, std::out_of_range where it has no such input.
    template <class T>
    [[nodiscard]] const array<T>& get(std::size_t i) const {
        return std::any_cast<const array<T>&>(arrays_.at(i));
    }
    [[nodiscard]] std::size_t size() const { return arrays_.size(); }
    void clear() { arrays_.clear(); }

private:
    std::vector<std::any> arrays_;
};

/// A result, whatever its type: what the other side may ask of it.
struct output {
    std::function<std::string()> describe;  // "float32 8192,8192"
    /// Elements [begin, end) along an axis, as doubles; a complex number is two.
    std::function<std::vector<double>(int axis, std::int64_t begin, std::int64_t end)> read;
    std::function<double()> mean;
};

struct program {
    std::function<void()> run;
    std::vector<output> outputs;
};

template <class T>
output output_of(std::function<const array<T>&()> get);

/// `step` is called with the results, and assigns to them.
template <class... T, class Step>
program computes(Step step) {
    const auto results = std::make_shared<std::tuple<array<T>...>>();
    program out;
    out.run = [results, step = std::move(step)] { std::apply(step, *results); };
    [&]<std::size_t... i>(std::index_sequence<i...>) {
        (out.outputs.push_back(output_of<T>([results]() -> const array<T>& { return std::get<i>(*results); })), ...);
    }(std::index_sequence_for<T...>{});
    return out;
}

/// Of as many results of one type as there are.
template <class T, class Step>
program computes_list(std::size_t count, Step step) {
    const auto results = std::make_shared<std::vector<array<T>>>(count);
    program out;
    out.run = [results, step = std::move(step)] { step(*results); };
    for (std::size_t i = 0; i < count; ++i)
        out.outputs.push_back(output_of<T>([results, i]() -> const array<T>& { return (*results)[i]; }));
    return out;
}

using make_program = program (*)(const inputs&);

/// One list for each file of workloads.
struct named_workload {
    const char* name;
    make_program make;
};
using workload_list = std::vector<named_workload>;

const workload_list& elementwise_workloads();
const workload_list& model_workloads();
const workload_list& image_workloads();
const workload_list& reduction_workloads();

}  // namespace kiln::bench
