// What every device can do with launches that were recorded: make them one by one.
#include <device/recording/sequence.hpp>

#include <cstring>

namespace kiln::backend {

recorded_launch::recorded_launch(const loaded_kernel& kernel, const launch_arguments& arguments)
    : kernel_(&kernel), arguments_(arguments) {
    std::size_t words = 0;
    for (const plan::parameter& each : parameters()) words += static_cast<std::size_t>(each.bytes) / 8;
    values_.resize(words);
    std::uint64_t* next = values_.data();
    for (std::size_t i = 0; i < parameters().size(); ++i) {
        const auto bytes = static_cast<std::size_t>(parameters()[i].bytes);
        std::memcpy(next, arguments.parameters[i], bytes);
        parameters_.push_back(next);
        next += bytes / 8;
    }
    if (arguments.reduced) {
        extents_ = *arguments.reduced->extents;
        reduced_ = {&extents_, arguments.reduced->axes};
        arguments_.reduced = &reduced_;
    }
    if (arguments.step) {
        if (arguments.step->scan) scan_ = *arguments.step->scan, step_.scan = &scan_;
        if (arguments.step->segments) segments_ = *arguments.step->segments, step_.segments = &segments_;
        if (arguments.step->segment_rows)
            segment_rows_ = *arguments.step->segment_rows, step_.segment_rows = &segment_rows_;
        if (arguments.step->sort) sort_ = *arguments.step->sort, step_.sort = &sort_;
        if (arguments.step->product) product_ = *arguments.step->product, step_.product = &product_;
        arguments_.step = &step_;
    }
    arguments_.parameters = parameters_.data();
}

launch_arguments recorded_launch::arguments(int stream) noexcept {
    launch_arguments out = arguments_;
    out.stream = stream;
    return out;
}

std::byte* recorded_launch::address(std::size_t parameter) const noexcept {
    std::byte* out = nullptr;
    std::memcpy(&out, parameters_[parameter], sizeof out);
    return out;
}

void recorded_launch::set_address(std::size_t parameter, std::byte* to) noexcept {
    std::memcpy(parameters_[parameter], &to, sizeof to);
}

namespace {

class one_by_one final : public launch_sequence {
public:
    one_by_one(device& on, std::span<recorded_launch* const> launches)
        : on_(on), launches_(launches.begin(), launches.end()) {}
    void launch(int stream) override {
        for (recorded_launch* const each : launches_) on_.launch(each->kernel(), each->arguments(stream));
    }

private:
    device& on_;
    std::vector<recorded_launch*> launches_;
};

}  // namespace

std::unique_ptr<launch_sequence> device::make_sequence(std::span<recorded_launch* const> launches) {
    return std::make_unique<one_by_one>(*this, launches);
}

}  // namespace kiln::backend
