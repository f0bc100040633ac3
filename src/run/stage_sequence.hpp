// kiln/run/stage_sequence: the stages of a whole expression in one call: which array is in each leaf's place, which results
// are there, and who gets them.
// in: stages, arguments   out: leaves and outputs of one stage after the other   knows nothing of: kernels
#pragma once

#include <run/progress.hpp>
#include <run/run_time_caches.hpp>
#include <stage/stages.hpp>

#include <kiln/fuse.hpp>

#include <vector>

namespace kiln::inline v0_1::detail {

/// Stages, and of each the executables that were made for it.
struct stage_sequence {
    stage_sequence(stage::stages of, known_device& device);

    stage::stages plan;
    known_device* on;  // what they were planned for
    std::vector<run_time_cache*> caches;
};

/// The stages of an expression. `wanted`: where its results are to be; `of`: of the function that it is the body of, if it is.
stage_sequence stages_of(const handle<term>* roots, int root_count, const output* wanted,
                         const stage::arguments& of = {});

/// The reduced axes have extent 1 in what a kernel writes.
void drop_axes(array_node& of, const shape& wanted);

/// One call's way through the stages. Kept by the thread from call to call: a warm one allocates its results. A thread is on one
/// such way at a time: no stage has stages.
class stage_results {
public:
    stage_results(const stage::stages& plan, const fused_argument* arguments);
    ~stage_results();
    stage_results(const stage_results&) = delete;
    stage_results& operator=(const stage_results&) = delete;

    /// Valid until it is asked for another stage's.
    [[nodiscard]] std::vector<leaf>& leaves_of(const stage::stage& each);
    /// The same; `roots`: where the expression's results are to be.
    [[nodiscard]] std::vector<output>& outputs_of(const stage::stage& each, const output* roots);

    /// What outputs_of was written to, or stands for what is not computed.
    void put_outputs(const stage::stage& each, purpose why);
    void put(const stage::stage& each, handle<array_node> result, int number = 0);
    [[nodiscard]] handle<array_node>& result(int number) { return kept_.results[static_cast<std::size_t>(number)]; }

    /// Each root's result to its output.
    void hand_out(output* roots);

private:
    struct kept {
        std::vector<handle<array_node>> results;
        std::vector<handle<array_node>> views;
        std::vector<leaf> leaves;
        std::vector<output> outputs;
    };

    const progress_of_evaluation progress_;
    const stage::stages& plan_;
    const fused_argument* const arguments_;
    kept& kept_;
};

}  // namespace kiln::inline v0_1::detail
