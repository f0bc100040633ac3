// Rows of which any order gives the same bits: a thread takes vectors where memory has them; what is before the first and after the last of a
// row goes to its first lanes one by one. What finds positions counts on it that the elements of each accumulator come in the row's order.
#include <plan/policy/reduction.hpp>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class free_rows_policy : public reduction_policy {
public:
    using reduction_policy::reduction_policy;

private:
    [[nodiscard]] int width() const { return of_.vector_width; }
    value is_whole(value first) override { return first + width() <= threads_.end; }
    value mine(nest::value_or_number) override { return mine_; }

    void take_elements() override {
        const value begin = of_.skewed ? to_.let("begin_of_vectors", types::number,
                                                 to_.least(threads_.end, threads_.first + before_vectors()))
                                       : threads_.first;
        rounds(to_.let("start", types::number, begin + threads_.lane * width()));
        mine_ = to_.variable("mine", types::accumulators(), combined_places(to_, [&](int k) { return part(k); }));
        // Of whole rows all are of vectors.
        if (of_.skewed || of_.rank == 1) take_ends(begin);
    }

    /// What is before the first vector, and then what is after the last.
    void take_ends(value begin) {
        const value ends = to_.variable("ends", types::accumulators(), to_.identity());
        const value after = to_.let("after", types::number, begin + (threads_.end - begin) / width() * width());
        const value before = of_.skewed ? to_.let("before", types::number, begin - threads_.first) : value();
        const int most = (of_.skewed ? 2 : 1) * (width() - 1);
        to_.unrolled("u", static_cast<int>(ceil_div(most, of_.threads_per_output)), [&](value u) {
            const value which = to_.let("which", types::number, threads_.lane + u * of_.threads_per_output);
            const value place =
                of_.skewed ? to_.select(which < before, threads_.first + which, after - before + which) : after + which;
            const value first = to_.let("first", types::number, place);
            to_.when(first < threads_.end, [&] { element(first, [&](value one) { append(ends, one); }); });
        });
        to_.assign(mine_, to_.combine(mine_, ends));
    }

    /// Elements from where the row's, or the split's, begin to where a vector may.
    value before_vectors() {
        std::size_t input = 0;
        while (of_.inputs[input].how == access::uniform) ++input;
        constexpr int widest_access = 16;  // bytes of a thread
        const int apart = widest_access / bytes_of(of_.inputs[input].type);
        value_threads::place at = threads_.place_of(threads_.first);
        const value place = to_.let("place", types::index, threads_.address(input, at));
        const value skew = to_.skew(operands_.memory_of_input(input), place, widest_access);
        return to_.convert((to_.constant(apart) - skew) & (apart - 1), types::number);
    }

    value mine_;
};

}  // namespace

nest::tree free_rows_nest(const lower::program& program, const kernel& of) {
    return free_rows_policy(program, of).run();
}

}  // namespace kiln::plan
