// kiln/function: an operation that the user wrote, in the C++ that kernels are made of.
#pragma once

#include <kiln/export.hpp>
#include <kiln/operations.hpp>

#include <initializer_list>
#include <string_view>
#include <tuple>

namespace kiln::inline v0_1 {

/// Text that stands before a function in its kernels: what the function calls. By its name the compiler's complaints say
/// where they are, and #include of that name is understood. Copied where it is given.
struct header {
    std::string_view name;  // "vectors.h": up to 200 printable characters, no quotation mark, < > or backslash
    std::string_view text;
};

/// A user's function and its operands, each of which becomes the parameter's type.
template <class R, class... Args>
struct called : expression_members<called<R, Args...>> {
    using kiln_value = R;
    static constexpr int leaf_count = 1 + (0 + ... + Args::leaf_count);
    static constexpr bool dynamic = (false || ... || Args::dynamic);
    std::uint64_t function;
    std::tuple<Args...> args;

    detail::leaf* collect(detail::leaf* out) const noexcept {
        *out++ = {nullptr, function, detail::leaf_kind::baked, 0};
        std::apply([&out](const Args&... each) { ((out = each.collect(out)), ...); }, args);
        return out;
    }
    static int describe(detail::graph& into) {
        const int slot = detail::add_baked(into);
        const int numbers[sizeof...(Args) + 1] = {Args::describe(into)..., -1};
        return detail::add_call(into, type_of<R>, slot, numbers, static_cast<int>(sizeof...(Args)));
    }
    [[nodiscard]] auto kiln_viewed(const detail::view_spec& by) const {
        return std::apply(
            [&](const Args&... each) {
                return called<R, decltype(each.kiln_viewed(by))...>{{}, function, {each.kiln_viewed(by)...}};
            },
            args);
    }
    template <class I>
    [[nodiscard]] auto kiln_gathered(const detail::view_spec& by, const I& index) const {
        return std::apply(
            [&](const Args&... each) {
                return called<R, decltype(each.kiln_gathered(by, index))...>{
                    {}, function, {each.kiln_gathered(by, index)...}};
            },
            args);
    }
    [[nodiscard]] detail::handle<detail::term> erase() const {
        return std::apply(
            [this](const Args&... each) {
                detail::handle<detail::term> terms[sizeof...(Args) + 1] = {each.erase()...};
                return detail::make_call_term(type_of<R>, function, terms, static_cast<int>(sizeof...(Args)));
            },
            args);
    }
};

namespace detail {

/// Throws type_error, compile_error. The same definition gives the same number.
KILN_API std::uint64_t define_function(std::string_view name, element_type result, const element_type* types,
                                       std::size_t type_count, std::initializer_list<std::string_view> names,
                                       std::string_view body, std::initializer_list<header> headers);

template <class P, class A>
constexpr bool passes_as() {
    using Plain = std::remove_cvref_t<A>;
    if constexpr (expression<A>) return assignable(type_of<value_t<A>>, type_of<P>);
    else return kind_of(scalar_type<typename number_type<Plain>::type>()) <= kind_of(type_of<P>);
}

}  // namespace detail

/// What function() makes: called with arrays, expressions and numbers, it is an expression.
template <element R, element... Ps>
class user_function {
public:
    explicit user_function(std::uint64_t number) noexcept : number_(number) {}

    template <operand... As>
        requires(sizeof...(As) == sizeof...(Ps))
    auto operator()(As&&... args) const {
        static_assert((detail::passes_as<Ps, As>() && ...),
                      "kiln: an argument of a wider type than the function's parameter needs k::cast<T>(argument)");
        return called<R, std::remove_cvref_t<decltype(detail::capture<type_of<Ps>>(std::forward<As>(args)))>...>{
            {}, number_, {detail::capture<type_of<Ps>>(std::forward<As>(args))...}};
    }

private:
    std::uint64_t number_;
};

namespace detail {

template <class Signature>
struct function_maker;
template <element R, element... Ps>
struct function_maker<R(Ps...)> {
    static_assert(sizeof...(Ps) <= max_arity, "kiln: a function takes up to 8 parameters");
    static user_function<R, Ps...> make(std::string_view name, std::initializer_list<std::string_view> parameters,
                                        std::string_view body, std::initializer_list<header> headers) {
        constexpr element_type types[sizeof...(Ps) + 1] = {type_of<Ps>...};
        return user_function<R, Ps...>(
            define_function(name, type_of<R>, types, sizeof...(Ps), parameters, body, headers));
    }
};

}  // namespace detail

/// A function of one element each, for use in expressions:
///     auto logaddexp = k::function<float(float, float)>("logaddexp", {"a", "b"},
///                                                       "return fmaxf(a, b) + log1pf(expf(-fabsf(a - b)));");
///     y = logaddexp(x, z) - 1;
/// The body is what stands between the braces of a C++17 function, of up to 8 parameters of element types, and is
/// compiled into the kernel: on CUDA it may call what device code may, on the CPU what <math.h> has. It must be a
/// function of its operands alone. Operands promote to the parameters' types, numbers take them. A float16 or bfloat16
/// parameter is a float in the body, and such a result is rounded once.
/// The headers stand before it in the order given, at namespace scope, each once in a kernel, however many functions bring
/// it; __device__, __host__, __constant__ and __forceinline__ are understood everywhere. #include of one of them, in the
/// body or in a header, is left out, since its text stands there already. No other file is read, so that the kernel on disk
/// is the one that the text says.
/// Body and headers are code that runs with the program's rights: never make one of text that somebody else sent.
/// Throws type_error for names that are none, or too many or too few, for an empty body, and for two texts of one header's
/// name (with the first evaluation, if two functions of a kernel have them). Throws compile_error for an #include of another
/// file, and for all else that would let something outside the text into the kernel (__DATE__, __has_include, .incbin, ...).
/// What the compiler says comes with the first evaluation, as a compile_error that names the function and the line of its
/// body, or the header and its line. A CPU without a compiler throws error there.
template <class Signature>
auto function(std::string_view name, std::initializer_list<std::string_view> parameters, std::string_view body,
              std::initializer_list<header> headers = {}) {
    return detail::function_maker<Signature>::make(name, parameters, body, headers);
}

}  // namespace kiln::inline v0_1
