#include <device/cpu/host_scan_access.hpp>

#include <device/cpu/host_scan_finish.hpp>
#include <plan/scan.hpp>

#include <kiln/float16.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <iterator>
#include <type_traits>
#include <vector>

namespace kiln::backend {

namespace {

template <class Visit>
void with_type(element_type of, Visit visit) {
    switch (of) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case element_type::name: return visit(std::type_identity<type>());
#include <kiln/element_type.def>
    }
}

class access {
public:
    access(const plan::scan_step& step, const plan::scan_access& how) : step_(step), how_(how) {}

    /// Calls move(place in memory, place in the order of the scan).
    template <class Move>
    void each(Move move) const {
        const std::int64_t inner = step_.inner;
        for (std::int64_t o = 0; o < step_.outer; ++o)
            for (std::int64_t x = 0; x < step_.count; ++x)
                for (std::int64_t i = 0; i < inner; ++i) {
                    const std::int64_t row = how_.backward ? step_.count - 1 - x : x;
                    move((o * step_.count + row) * inner + i, (o * step_.count + x) * inner + i);
                }
    }

private:
    const plan::scan_step& step_;
    const plan::scan_access& how_;
};

template <class From, class To>
To cast(const From& from) {
    if constexpr (std::is_same_v<From, To>) return from;
    else if constexpr (detail::small_float<From>) return static_cast<To>(static_cast<float>(from));
    else if constexpr (detail::small_float<To>) return static_cast<To>(static_cast<float>(from));
    else return static_cast<To>(from);
}

template <class T>
constexpr bool has_order = !std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>;

/// Calls visit(a From, a To) where elements of one become such of the other.
template <class Visit>
void with_types(element_type from, element_type to, Visit visit) {
    with_type(from, [&]<class From>(std::type_identity<From>) {
        with_type(to, [&]<class To>(std::type_identity<To>) {
            if constexpr (std::is_same_v<From, To> || (has_order<From> && has_order<To>))
                visit(std::type_identity<From>(), std::type_identity<To>());
        });
    });
}

}  // namespace

void through_accesses(const launch_arguments& arguments, const std::function<void(const launch_arguments&)>& scan) {
    const plan::scan_step& step = *arguments.step->scan;
    const bool finishes = step.finish && !step.totals_only;
    if (step.reads.is_plain() && step.writes.is_plain() && !finishes) return scan(arguments);
    std::array<void*, std::size(plan::scan_signature)> parameters;
    std::copy_n(arguments.parameters, parameters.size(), parameters.begin());
    const auto memory_of = [&](plan::role what) -> void*& {
        return parameters[static_cast<std::size_t>(plan::find_parameter(plan::scan_signature, what))];
    };
    const auto bytes = static_cast<std::size_t>(step.element_count() * bytes_of(step.type));
    std::vector<std::byte> read(bytes), written(bytes);
    std::byte* read_data = read.data();
    std::byte* written_data = written.data();
    void* const from = *static_cast<void**>(memory_of(plan::role::scan_operand));
    void* const to = *static_cast<void**>(memory_of(plan::role::scan_result));
    with_types(
        step.operand_type(), step.type, [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>) {
            access(step, step.reads).each([&](std::int64_t in_memory, std::int64_t in_order) {
                reinterpret_cast<To*>(read_data)[in_order] = cast<From, To>(static_cast<const From*>(from)[in_memory]);
            });
        });
    memory_of(plan::role::scan_operand) = &read_data;
    if (!step.totals_only) memory_of(plan::role::scan_result) = &written_data;
    launch_arguments plain = arguments;
    plain.parameters = parameters.data();
    scan(plain);
    if (step.totals_only) return;
    std::vector<std::byte> values(
        finishes ? static_cast<std::size_t>(step.element_count() * bytes_of(step.value_type())) : 0);
    void* const left = finishes ? values.data() : to;
    with_types(step.type, step.value_type(),
               [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>) {
                   access(step, step.writes).each([&](std::int64_t in_memory, std::int64_t in_order) {
                       static_cast<To*>(left)[in_memory] =
                           cast<From, To>(reinterpret_cast<const From*>(written_data)[in_order]);
                   });
               });
    if (finishes) finish_scan_on_host(step, values.data(), arguments);
}

}  // namespace kiln::backend
