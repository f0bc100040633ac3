// A thread takes vectors of a row, element k of each into its accumulator k.
#include <plan/policy/reduction.hpp>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class rows_policy : public reduction_policy {
public:
    using reduction_policy::reduction_policy;

private:
    [[nodiscard]] int width() const { return of_.vector_width; }
    value is_whole(value first) override { return first + width() <= threads_.end; }
    value mine(nest::value_or_number) override { return mine_; }

    void take_elements() override {
        const value start = threads_.first + threads_.lane * width();
        if (of_.vectorised) {
            rounds(start);
            rest_of_row();
        } else {
            // Element by element, in the order of vectors.
            to_.loop(
                runner::serial, "next", start, threads_.end, threads_.round(),
                [&](value next) { elements_of_vector(next); }, /*written_out=*/2, types::number);
        }
        mine_ = to_.variable("mine", types::accumulators(), combined_places(to_, [&](int k) { return part(k); }));
    }

    /// Fewer elements than a vector, which belong to the thread whose turn it would be.
    void rest_of_row() {
        const value vectors = to_.let("vectors", types::number, (threads_.end - threads_.first) / width());
        const value rest = to_.let("rest", types::number, threads_.first + vectors * width());
        const bool is_long = of_.last_step - of_.first_step > 16;
        to_.when(rest < threads_.end && threads_.lane == vectors % of_.threads_per_output, [&] {
            if (is_long) elements_in_turn(rest);
            else elements_of_vector(rest);
        });
    }

    /// With the body once in the kernel's text: a long one takes its time to compile.
    void elements_in_turn(value from) {
        to_.loop(runner::serial, "k", 0, width() - 1, 1, [&](value k) {
            const value first = to_.let("first", types::number, from + k);
            to_.when(first >= threads_.end, [&] { to_.leave(); });
            element(first, [&](value one) {
                to_.unrolled("each", width() - 1,
                             [&](value each) { to_.when(each == k, [&] { append(part(each), one); }); });
            });
        });
    }

    void elements_of_vector(value from) {
        to_.unrolled("k", width(), [&](value k) {
            const value first = to_.let("first", types::number, from + k);
            to_.when(first < threads_.end, [&] { element(first, [&](value one) { append(part(k), one); }); });
        });
    }

    value mine_;
};

}  // namespace

nest::tree rows_nest(const lower::program& program, const kernel& of) { return rows_policy(program, of).run(); }

}  // namespace kiln::plan
