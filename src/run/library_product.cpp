// One step, by a library: a product of matrices.
#include <run/array_stage.hpp>

#include <plan/library_product.hpp>

#include <iterator>

namespace kiln::inline v0_1::detail {

namespace {

class product_stage final : public array_stage {
public:
    product_stage(const stage::product_of_leaves& of, plan::frame on) : of_(of.how), on_(on) {
        operand_leaves = {of.left_leaf, of.right_leaf};
        if (has_workspace()) temporaries = {plan::product_workspace_bytes};
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
        if (has_workspace()) into.add(memory.temporary(0));
        static_assert(std::size(plan::product_signature) == 4);
    }

    [[nodiscard]] plan::kernel_signature takes(int) const override {
        return {std::begin(plan::product_signature), std::end(plan::product_signature) - !has_workspace()};
    }
    [[nodiscard]] std::string name(int) const override {
        if (on_ == plan::frame::cuda) return "cublasLtMatmul";
        switch (of_.type) {
            case element_type::float64: return "dgemm";
            case element_type::complex64: return "cgemm";
            case element_type::complex128: return "zgemm";
            default: return "sgemm";
        }
    }
    [[nodiscard]] std::string text(int) const override { return "matmul(x0, x1)"; }
    [[nodiscard]] emit::source source(int) const override { return {}; }
    [[nodiscard]] std::string nest(int) const override { return {}; }
    [[nodiscard]] const char* why_cut() const override { return ""; }

private:
    [[nodiscard]] bool has_workspace() const { return on_ == plan::frame::cuda; }

    const stage::product of_;
    const plan::frame on_;
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage&, const stage::product_of_leaves& of,
                                        const backend::device& on) {
    return std::make_unique<product_stage>(of, on.target().kind);
}

}  // namespace kiln::inline v0_1::detail
