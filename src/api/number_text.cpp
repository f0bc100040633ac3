#include <api/number_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

template <class T>
T element_at(const std::byte* elements, std::int64_t i) {
    T out;
    std::memcpy(&out, elements + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return out;
}

double parsed(const char* begin, const char* end) {
    double out = 0;
    std::from_chars(begin, end, out);
    return out;
}

/// A number of a floating type, and the double whose shortest text is that number's own: 0.1f is 0.1, not 0.10000000149.
struct number {
    double exact = 0;
    double shortest = 0;
};

number number_of(double value) { return {value, value}; }
number number_of(float value) {
    if (!std::isfinite(value)) return number_of(static_cast<double>(value));
    char digits[64];
    // Without a format a large number is written out, with digits that are not its own.
    const char* const end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
    return {value, parsed(digits, end)};
}
template <class T>
    requires small_float<T>
number number_of(T value) {
    const float wide = static_cast<float>(value);
    for (int digits = 0; std::isfinite(wide) && digits < 6; ++digits) {
        char text[64];
        const char* const end =
            std::to_chars(text, text + sizeof text, wide, std::chars_format::scientific, digits).ptr;
        const double read = parsed(text, end);
        if (static_cast<float>(static_cast<T>(read)) == wide) return {wide, read};
    }
    return number_of(static_cast<double>(wide));
}

/// As FloatingFormat compares in the array's own type.
double rounded_to(element_type type, double value) {
    switch (type) {
        case element_type::float16: return static_cast<float>(float16(value));
        case element_type::bfloat16: return static_cast<float>(bfloat16(value));
        case element_type::float32: return static_cast<float>(value);
        default: return value;
    }
}

/// A number in pieces: sign and digits before the point, digits behind it, the exponent with its sign (if there is one).
struct pieces {
    std::string whole;
    std::string fraction;
    std::string exponent;
};

pieces split(const std::string& text) {
    const std::size_t end = std::min(text.find('e'), text.size());
    const std::size_t point = std::min(text.find('.'), end);
    pieces out{text.substr(0, point), point < end ? text.substr(point + 1, end - point - 1) : "",
               end < text.size() ? text.substr(end + 1) : ""};
    return out;
}

std::string chars_of(double value, std::chars_format how, int digits = -1) {
    char text[400];
    const auto written = digits < 0 ? std::to_chars(text, text + sizeof text, value, how)
                                    : std::to_chars(text, text + sizeof text, value, how, digits);
    return {text, written.ptr};
}

/// As few digits as tell the number from its neighbours, but all of those before the point, rounded to `most` behind it; no zeros at
/// their end.
pieces digits_of(const number& value, std::chars_format how, int most) {
    pieces out = split(chars_of(value.shortest, how));
    const bool is_whole = how == std::chars_format::fixed && out.fraction.empty();
    if (is_whole || out.fraction.size() > static_cast<std::size_t>(most)) {
        out = split(chars_of(value.exact, how, is_whole ? 0 : most));
        while (!out.fraction.empty() && out.fraction.back() == '0') out.fraction.pop_back();
    }
    return out;
}

class number_words {
public:
    /// `plus`: positive numbers have a sign too, as imaginary parts do.
    number_words(element_type type, const std::vector<number>& values, bool plus, int precision)
        : plus_(plus), precision_(precision) {
        double largest = 0;
        double smallest = std::numeric_limits<double>::infinity();
        for (const number& each : values) {
            if (!std::isfinite(each.exact) || each.exact == 0) continue;
            largest = std::max(largest, std::fabs(each.exact));
            smallest = std::min(smallest, std::fabs(each.exact));
        }
        scientific_ = largest > 0 && (largest >= 1e8 || smallest < rounded_to(type, 1e-4) ||
                                      rounded_to(type, largest / smallest) > 1000.0);
        std::size_t nan_width = 0;
        std::size_t infinity_width = 0;
        for (const number& each : values) {
            if (std::isnan(each.exact)) nan_width = 3;
            if (std::isnan(each.exact)) infinity_width = std::max(infinity_width, infinity_text(false).size());
            if (std::isinf(each.exact)) infinity_width = std::max(infinity_width, infinity_text(each.exact < 0).size());
            if (!std::isfinite(each.exact)) continue;
            const pieces digits = written(each);
            whole_width_ = std::max(whole_width_, digits.whole.size());
            fraction_width_ = std::max(fraction_width_, digits.fraction.size());
            if (scientific_) exponent_width_ = std::max(exponent_width_, digits.exponent.size() - 1);
        }
        // Behind the digits before the point, what is not finite may use the room of the rest.
        const std::size_t rest = right_width() + 1;
        for (const std::size_t width : {nan_width, infinity_width})
            if (width > rest) whole_width_ = std::max(whole_width_, width - rest);
    }

    [[nodiscard]] std::string operator()(const number& value) const {
        if (!std::isfinite(value.exact)) {
            const std::string text =
                std::isnan(value.exact) ? (plus_ ? "+nan" : "nan") : infinity_text(value.exact < 0);
            const std::size_t width = whole_width_ + right_width() + 1;
            return std::string(width - std::min(width, text.size()), ' ') + text;
        }
        pieces digits = written(value);
        // In columns of exponents each number has as many digits as the longest: its own, past those that tell it apart. (1e-04 may be
        // 9.9999997e-05 then.)
        if (scientific_ && digits.fraction.size() < fraction_width_) digits = written(value, fraction_width_);
        std::string out = std::string(whole_width_ - digits.whole.size(), ' ') + digits.whole + '.' + digits.fraction;
        if (!scientific_) return out + std::string(fraction_width_ - digits.fraction.size(), ' ');
        out += 'e';
        out += digits.exponent[0];
        return out + std::string(exponent_width_ + 1 - digits.exponent.size(), '0') + digits.exponent.substr(1);
    }

private:
    [[nodiscard]] pieces written(const number& value) const {
        pieces out =
            digits_of(value, scientific_ ? std::chars_format::scientific : std::chars_format::fixed, precision_);
        return with_sign(value, std::move(out));
    }
    /// With so many digits behind the point.
    [[nodiscard]] pieces written(const number& value, std::size_t digits) const {
        return with_sign(value, split(chars_of(value.exact, std::chars_format::scientific, static_cast<int>(digits))));
    }
    [[nodiscard]] pieces with_sign(const number& value, pieces of) const {
        if (plus_ && !std::signbit(value.exact)) of.whole.insert(of.whole.begin(), '+');
        return of;
    }
    [[nodiscard]] std::string infinity_text(bool negative) const { return negative ? "-inf" : plus_ ? "+inf" : "inf"; }
    [[nodiscard]] std::size_t right_width() const {
        return scientific_ ? exponent_width_ + 2 + fraction_width_ : fraction_width_;
    }

    bool plus_;
    int precision_;
    bool scientific_ = false;
    std::size_t whole_width_ = 0;
    std::size_t fraction_width_ = 0;
    std::size_t exponent_width_ = 0;
};

/// str() of a NumPy float, less the ".0" of whole numbers.
std::string alone(const number& value) {
    if (std::isnan(value.exact)) return "nan";
    if (std::isinf(value.exact)) return value.exact < 0 ? "-inf" : "inf";
    const double size = std::fabs(value.exact);
    const bool fixed = size == 0 || (size >= 1e-4 && size < 1e16);
    return chars_of(value.shortest, fixed ? std::chars_format::fixed : std::chars_format::scientific);
}
std::string scalar_of(const number& value) {
    const std::string text = alone(value);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}
template <class T>
std::string scalar_of(const std::complex<T>& value) {
    std::string imaginary = alone(number_of(value.imag())) + 'j';
    if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
    if (std::isnan(value.imag()) || !std::signbit(value.imag())) imaginary.insert(0, 1, '+');
    return '(' + alone(number_of(value.real())) + imaginary + ')';
}

std::vector<std::string> right_aligned(std::vector<std::string> words) {
    std::size_t width = 0;
    for (const std::string& each : words) width = std::max(width, each.size());
    for (std::string& each : words) each.insert(0, width - each.size(), ' ');
    return words;
}

std::vector<std::string> words_of_numbers(element_type type, const std::vector<number>& values, bool plus,
                                          int precision) {
    const number_words word(type, values, plus, precision);
    std::vector<std::string> out;
    for (const number& each : values) out.push_back(word(each));
    return out;
}

template <class T>
std::vector<std::string> words_of(const std::byte* elements, std::int64_t count, [[maybe_unused]] int precision) {
    std::vector<std::string> out;
    if constexpr (std::is_same_v<T, bool>) {
        for (std::int64_t i = 0; i < count; ++i)
            out.push_back(element_at<std::uint8_t>(elements, i) ? " True" : "False");
    } else if constexpr (std::is_integral_v<T>) {
        for (std::int64_t i = 0; i < count; ++i) out.push_back(std::to_string(element_at<T>(elements, i)));
        out = right_aligned(std::move(out));
    } else if constexpr (kind_of(type_of<T>) == element_kind::complex) {
        std::vector<number> in_front;
        std::vector<number> imaginaries;
        for (std::int64_t i = 0; i < count; ++i) {
            const T each = element_at<T>(elements, i);
            in_front.push_back(number_of(each.real()));
            imaginaries.push_back(number_of(each.imag()));
        }
        out = words_of_numbers(component_of(type_of<T>), in_front, false, precision);
        const std::vector<std::string> behind =
            words_of_numbers(component_of(type_of<T>), imaginaries, true, precision);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t end = behind[i].find_last_not_of(' ') + 1;
            out[i] += behind[i].substr(0, end) + 'j' + behind[i].substr(end);
        }
    } else {
        std::vector<number> values;
        for (std::int64_t i = 0; i < count; ++i) values.push_back(number_of(element_at<T>(elements, i)));
        out = words_of_numbers(type_of<T>, values, false, precision);
    }
    return out;
}

template <class T>
std::string scalar_as(const std::byte* element) {
    if constexpr (std::is_same_v<T, bool>) return element_at<std::uint8_t>(element, 0) ? "True" : "False";
    else if constexpr (std::is_integral_v<T>) return std::to_string(element_at<T>(element, 0));
    else if constexpr (kind_of(type_of<T>) == element_kind::complex) return scalar_of(element_at<T>(element, 0));
    else return scalar_of(number_of(element_at<T>(element, 0)));
}

}  // namespace

std::string scalar_text(element_type type, const std::byte* element) {
    switch (type) {
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind, spelling) \
    case element_type::name: return scalar_as<type_>(element);
#include <kiln/element_type.def>
    }
    return {};
}

std::vector<std::string> aligned_words(element_type type, const std::byte* elements, std::int64_t count,
                                       int precision) {
    switch (type) {
#define KILN_ELEMENT_TYPE(name, type_, suffix, kind, spelling) \
    case element_type::name: return words_of<type_>(elements, count, precision);
#include <kiln/element_type.def>
    }
    return {};
}

}  // namespace kiln::inline v0_1::detail
