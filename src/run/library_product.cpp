// One step, by a library: a product of matrices.
#include <run/array_stage.hpp>

#include <plan/library_product.hpp>

#include <iterator>

namespace kiln::inline v0_1::detail {

namespace {

class product_stage final : public array_stage {
public:
    explicit product_stage(const stage::product_of_leaves& of) : of_(of.how) {
        operand_leaves = {of.left_leaf, of.right_leaf};
        temporaries = {plan::product_workspace_bytes};
        by_library = true;
    }

    [[nodiscard]] int step_count() const override { return 1; }

    [[nodiscard]] step_launch launch(int) const override {
        const auto bytes = static_cast<std::int64_t>(bytes_of(of_.type));
        const auto bytes_of_matrices = [&](const stage::product::matrix& matrix, std::int64_t elements) {
            return bytes * elements * (matrix.batch_stride == 0 ? 1 : of_.batch);
        };
        step_launch out{{.product = &of_}, of_.batch * of_.rows * of_.terms * of_.columns};
        out.bytes_read =
            bytes_of_matrices(of_.left, of_.rows * of_.terms) + bytes_of_matrices(of_.right, of_.terms * of_.columns);
        out.bytes_written = bytes * of_.batch * of_.rows * of_.columns;
        return out;
    }

    void fill(int, const step_memory& memory, step_parameters& into) const override {
        into.add(memory.results.front());
        into.add(memory.operands[0]);
        into.add(memory.operands[1]);
        into.add(memory.temporary(0));
        static_assert(std::size(plan::product_signature) == 4);
    }

    [[nodiscard]] plan::kernel_signature takes(int) const override {
        return {std::begin(plan::product_signature), std::end(plan::product_signature)};
    }
    [[nodiscard]] std::string name(int) const override { return "cublasLtMatmul"; }
    [[nodiscard]] std::string text(int) const override { return "matmul(x0, x1)"; }
    [[nodiscard]] emit::source source(int) const override { return {}; }
    [[nodiscard]] std::string nest(int) const override { return {}; }
    [[nodiscard]] const char* why_cut() const override { return ""; }

private:
    stage::product of_;
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage&, const stage::product_of_leaves& of,
                                        const backend::device&) {
    return std::make_unique<product_stage>(of);
}

}  // namespace kiln::inline v0_1::detail
