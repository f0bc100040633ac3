#include <emit/frames.hpp>

namespace kiln::emit {

source emit(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    const body inside = make_body(program, kernel, frame);
    source out{kernel_name(program, kernel), {}, typed_expression_text(program, kernel)};
    out.text = frame == plan::frame::cuda ? cuda_frame(program, kernel, inside, out.name)
                                          : host_frame(program, kernel, inside, out.name);
    return out;
}

}  // namespace kiln::emit
