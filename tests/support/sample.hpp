// tests/support/sample: of a grid of sizes whose every combination has kernels of its own, those that a run tries.
//
//     tests::sample chosen(4);
//     for (const int rows : ...)
//         for (const int columns : ...)
//             if (chosen.takes_next()) check(rows, columns);
//
// One in so many, and each size of either axis where the inner axes' lengths have no factor with that number in common. Of a grid for each
// of several types one sample may go on from type to type: what one leaves out, another has. All of them
// where KILN_TEST_EVERY is set (ctest -C long, of ./dev test --all), and on a GPU.
#pragma once

namespace tests {

/// Whether this run leaves nothing out.
[[nodiscard]] bool tries_every_combination();

class sample {
public:
    /// The combination `begin`, and each `one_in`-th after it.
    explicit sample(int one_in, int begin = 0, bool every = tries_every_combination())
        : one_in_(every ? 1 : one_in), left_(every ? 0 : begin) {}

    /// Whether the next combination is one of them.
    [[nodiscard]] bool takes_next() {
        if (left_-- > 0) return false;
        left_ = one_in_ - 1;
        return true;
    }

private:
    int one_in_;
    int left_;  // to be left out before the next that is taken
};

}  // namespace tests
