#include <device/cpu/element_source.hpp>

#include <iterator>

namespace kiln::backend {

element_source::element_source(const cpu_kernel& elements, const launch_arguments& arguments, std::int64_t most,
                               bool in_place, std::int64_t total, std::int64_t least_asked_for)
    : elements_(elements),
      parameters_(arguments.parameters, arguments.parameters + elements.parameters().size()),
      total_(total) {
    find_asked_for(least_asked_for);
    const std::vector<plan::reduced_output>& outputs = elements.reduced();
    if (in_place) {
        for (std::size_t i = 0; i < outputs.size(); ++i)
            arrays_.push_back(*static_cast<std::byte* const*>(parameters_[elements.array_parameter(i)]));
        places_.resize(outputs.size());
        return;
    }
    pointers_.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) parameters_[elements.output_parameter(i)] = &pointers_[i];
    if (elements.adds_up()) return;
    for (const plan::reduced_output& each : outputs)
        buffers_.push_back(std::make_unique_for_overwrite<std::byte[]>(
            static_cast<std::size_t>(most * bytes_of(each.accumulated)) + 64));
}

void element_source::compute(std::int64_t begin, std::int64_t count, std::int64_t place) {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        places_[i] = arrays_[i] + begin * bytes_of(elements_.reduced()[i].accumulated);
    if (!arrays_.empty()) return;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        const std::int64_t offset = (begin - place) * bytes_of(elements_.reduced()[i].accumulated);
        pointers_[i] = reinterpret_cast<std::uintptr_t>(values(i)) - static_cast<std::uintptr_t>(offset);
    }
    elements_.run(parameters_.data(), begin, begin + count, stores::cached);
}

void element_source::add_up(std::int64_t begin, std::int64_t count, std::vector<std::vector<std::byte>>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) pointers_[i] = reinterpret_cast<std::uintptr_t>(to[i].data());
    elements_.run(parameters_.data(), begin, begin + count, stores::cached);
}

std::optional<wanted_elements> element_source::wanted(std::int64_t begin, std::int64_t count) const {
    if (asked_for_.of[0].bytes == 0 || begin + count > total_) return {};
    wanted_elements out = asked_for_;
    for (wanted_elements::array& each : out.of) each.first += begin * each.bytes;
    return out;
}

const std::byte* element_source::values(std::size_t output) const {
    if (!arrays_.empty()) return places_[output];
    const auto start = reinterpret_cast<std::uintptr_t>(buffers_[output].get());
    return buffers_[output].get() + (64 - start % 64) % 64;
}

void element_source::find_asked_for(std::int64_t least) {
    constexpr std::int64_t most_bytes = 16;  // of an element
    if (total_ < least / most_bytes) return;
    std::size_t count = 0;
    for (const auto& [parameter, bytes] : elements_.arrays_in_order())
        if (total_ * bytes >= least && count < std::size(asked_for_.of))
            asked_for_.of[count++] = {*static_cast<const std::byte* const*>(parameters_[parameter]), bytes};
}

}  // namespace kiln::backend
