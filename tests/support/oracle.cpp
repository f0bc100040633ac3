// Trees, types and their rules; the arithmetic is in oracle_arithmetic.cpp.
#include <support/oracle.hpp>

#include <stdexcept>
#include <unordered_map>

namespace oracle {

bool is_float(type of) { return of >= type::f16 && of <= type::f64; }
bool is_complex(type of) { return of == type::c64 || of == type::c128; }

type part_of(type of) { return of == type::c64 ? type::f32 : of == type::c128 ? type::f64 : of; }

bool is_library(op code) { return code >= op::exp; }

const char* name_of(type of) {
    switch (of) {
        case type::b8: return "bool";
        case type::i8: return "int8";
        case type::u8: return "uint8";
        case type::i16: return "int16";
        case type::u16: return "uint16";
        case type::i32: return "int32";
        case type::u32: return "uint32";
        case type::i64: return "int64";
        case type::u64: return "uint64";
        case type::f16: return "float16";
        case type::bf16: return "bfloat16";
        case type::f32: return "float32";
        case type::f64: return "float64";
        case type::c64: return "complex64";
        case type::c128: return "complex128";
    }
    return "?";
}

const char* name_of(op code) {
    switch (code) {
        case op::add: return "+";
        case op::sub: return "-";
        case op::mul: return "*";
        case op::div: return "/";
        case op::rem: return "%";
        case op::neg: return "negate";
        case op::abs: return "abs";
        case op::real: return "real";
        case op::imag: return "imag";
        case op::conj: return "conj";
        case op::eq: return "==";
        case op::ne: return "!=";
        case op::lt: return "<";
        case op::le: return "<=";
        case op::gt: return ">";
        case op::ge: return ">=";
        case op::logical_and: return "&&";
        case op::logical_or: return "||";
        case op::logical_not: return "!";
        case op::min: return "min";
        case op::max: return "max";
        case op::where: return "where";
        case op::sqrt: return "sqrt";
        case op::fma: return "fma";
        case op::floor_divide: return "floor_divide";
        case op::floor_mod: return "floor_mod";
        case op::trunc_divide: return "trunc_divide";
        case op::bit_and: return "&";
        case op::bit_or: return "|";
        case op::bit_xor: return "^";
        case op::bit_not: return "~";
        case op::shift_left: return "<<";
        case op::shift_right: return ">>";
        case op::popcount: return "popcount";
        case op::clz: return "clz";
        case op::ctz: return "ctz";
        case op::isnan: return "isnan";
        case op::isinf: return "isinf";
        case op::isfinite: return "isfinite";
        case op::sign: return "sign";
        case op::square: return "square";
        case op::relu: return "relu";
        case op::floor: return "floor";
        case op::ceil: return "ceil";
        case op::trunc: return "trunc";
        case op::round: return "round";
        case op::rint: return "rint";
        case op::clamp: return "clamp";
        case op::lerp: return "lerp";
        case op::reciprocal: return "reciprocal";
        case op::rsqrt: return "rsqrt";
        case op::copysign: return "copysign";
        case op::nextafter: return "nextafter";
        case op::exp: return "exp";
        case op::exp2: return "exp2";
        case op::expm1: return "expm1";
        case op::log: return "log";
        case op::log2: return "log2";
        case op::log10: return "log10";
        case op::log1p: return "log1p";
        case op::sin: return "sin";
        case op::cos: return "cos";
        case op::tan: return "tan";
        case op::asin: return "asin";
        case op::acos: return "acos";
        case op::atan: return "atan";
        case op::atan2: return "atan2";
        case op::sinh: return "sinh";
        case op::cosh: return "cosh";
        case op::tanh: return "tanh";
        case op::asinh: return "asinh";
        case op::acosh: return "acosh";
        case op::atanh: return "atanh";
        case op::pow: return "pow";
        case op::hypot: return "hypot";
        case op::cbrt: return "cbrt";
        case op::erf: return "erf";
        case op::erfc: return "erfc";
        case op::erfinv: return "erfinv";
        case op::normcdf: return "normcdf";
        case op::lgamma: return "lgamma";
        case op::tgamma: return "tgamma";
        case op::sigmoid: return "sigmoid";
        case op::gelu: return "gelu";
    }
    return "?";
}

// The manual's table, as a table.
type promoted(type left, type right) {
    using enum type;
    // clang-format off
    static constexpr type table[15][15] = {
        //b8  , i8  , u8  , i16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128
        {b8  , i8  , u8  , i16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // b8
        {i8  , i8  , u8  , i16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // i8
        {u8  , u8  , u8  , i16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // u8
        {i16 , i16 , i16 , i16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // i16
        {u16 , u16 , u16 , u16 , u16 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // u16
        {i32 , i32 , i32 , i32 , i32 , i32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // i32
        {u32 , u32 , u32 , u32 , u32 , u32 , u32 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // u32
        {i64 , i64 , i64 , i64 , i64 , i64 , i64 , i64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // i64
        {u64 , u64 , u64 , u64 , u64 , u64 , u64 , u64 , u64 , f16 , bf16, f32 , f64 , c64 , c128},  // u64
        {f16 , f16 , f16 , f16 , f16 , f16 , f16 , f16 , f16 , f16 , f32 , f32 , f64 , c64 , c128},  // f16
        {bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, f32 , bf16, f32 , f64 , c64 , c128},  // bf16
        {f32 , f32 , f32 , f32 , f32 , f32 , f32 , f32 , f32 , f32 , f32 , f32 , f64 , c64 , c128},  // f32
        {f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , f64 , c128, c128},  // f64
        {c64 , c64 , c64 , c64 , c64 , c64 , c64 , c64 , c64 , c64 , c64 , c64 , c128, c64 , c128},  // c64
        {c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128, c128},  // c128
    };
    // clang-format on
    return table[static_cast<int>(left)][static_cast<int>(right)];
}

type operand_type(op code, type met) {
    switch (code) {
        case op::add:
        case op::sub:
        case op::mul:
        case op::div:
        case op::rem:
        case op::neg:
        case op::conj:
        case op::real:
        case op::imag:
        case op::abs:
        case op::floor_divide:
        case op::floor_mod:
        case op::trunc_divide:
        case op::shift_left:
        case op::shift_right:
        case op::popcount:
        case op::clz:
        case op::ctz:
        case op::sign:
        case op::square:
        case op::relu:
        case op::floor:
        case op::ceil:
        case op::trunc:
        case op::round:
        case op::rint: return met == type::b8 ? type::i32 : met;
        case op::logical_and:
        case op::logical_or:
        case op::logical_not: return type::b8;
        case op::sqrt:
        case op::fma:
        case op::lerp:
        case op::reciprocal:
        case op::rsqrt:
        case op::copysign:
        case op::nextafter: return is_float(met) || is_complex(met) ? met : type::f64;
        default: return is_library(code) && !is_float(met) && !is_complex(met) ? type::f64 : met;
    }
}

type result_type(op code, type met) {
    switch (code) {
        case op::eq:
        case op::ne:
        case op::lt:
        case op::le:
        case op::gt:
        case op::ge:
        case op::isnan:
        case op::isinf:
        case op::isfinite: return type::b8;
        case op::abs:
        case op::real:
        case op::imag: return part_of(operand_type(code, met));
        default: return operand_type(code, met);
    }
}

namespace {

type met_by(op code, const std::vector<type>& operands) {
    const std::size_t first = code == op::where ? 1 : 0;
    type met = operands.at(first);
    for (std::size_t i = first + 1; i < operands.size(); ++i) met = promoted(met, operands[i]);
    return met;
}

class evaluator {
public:
    explicit evaluator(const library& measured) : measured_(measured) {}

    const std::vector<value>& at(const tree& of) {
        if (const auto found = known_.find(of.get()); found != known_.end()) return found->second;
        std::vector<value> made = compute(*of);
        return known_.emplace(of.get(), std::move(made)).first->second;
    }

private:
    std::vector<value> compute(const node& of) {
        if (of.what == node::kind::elements) return of.leaves;
        std::vector<const std::vector<value>*> args;
        for (const tree& arg : of.args) args.push_back(&at(arg));
        if (of.what == node::kind::gathered) return gather(of.sources, args);

        std::size_t count = 1;
        for (const std::vector<value>* arg : args)
            if (arg->size() != 1) count = arg->size();
        for (const std::vector<value>* arg : args)
            if (arg->size() != 1 && arg->size() != count) throw std::logic_error("oracle: operands of different sizes");
        if (of.what == node::kind::operation && is_library(of.code) && measured_)
            return library_function(of, args, count);

        std::vector<value> out(count);
        std::vector<value> operands(args.size());
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t arg = 0; arg < args.size(); ++arg) operands[arg] = element(*args[arg], i);
            out[i] = of.what == node::kind::cast ? converted(operands[0], of.of) : computed(of.code, operands);
        }
        return out;
    }

    static const value& element(const std::vector<value>& of, std::size_t i) { return of[of.size() == 1 ? 0 : i]; }

    static std::vector<value> gather(const std::vector<source>& sources,
                                     const std::vector<const std::vector<value>*>& args) {
        std::vector<value> out;
        out.reserve(sources.size());
        for (const source& each : sources)
            out.push_back(args.at(static_cast<std::size_t>(each.arg))->at(static_cast<std::size_t>(each.element)));
        return out;
    }

    std::vector<value> library_function(const node& of, const std::vector<const std::vector<value>*>& args,
                                        std::size_t count) const {
        std::vector<std::vector<value>> operands;
        for (const std::vector<value>* arg : args) {
            operands.emplace_back();
            for (std::size_t i = 0; i < count; ++i) operands.back().push_back(converted(element(*arg, i), of.of));
        }
        return measured_(of.code, of.of, operands);
    }

    const library& measured_;
    std::unordered_map<const node*, std::vector<value>> known_;
};

}  // namespace

tree elements(type of, std::vector<value> each) {
    node made;
    made.of = of;
    made.leaves = std::move(each);
    return std::make_shared<const node>(std::move(made));
}

tree scalar(const value& at_every_position) { return elements(at_every_position.of, {at_every_position}); }

tree operation(op code, std::vector<tree> args) {
    std::vector<type> types;
    for (const tree& arg : args) types.push_back(arg->of);
    node made;
    made.what = node::kind::operation;
    made.code = code;
    made.of = result_type(code, met_by(code, types));
    made.args = std::move(args);
    return std::make_shared<const node>(std::move(made));
}

tree cast(type to, tree arg) {
    node made;
    made.what = node::kind::cast;
    made.of = to;
    made.args.push_back(std::move(arg));
    return std::make_shared<const node>(std::move(made));
}

tree gathered(std::vector<tree> args, std::vector<source> sources) {
    node made;
    made.what = node::kind::gathered;
    made.of = args.at(0)->of;
    for (const tree& arg : args)
        if (arg->of != made.of) throw std::logic_error("oracle: elements of different types are gathered");
    made.args = std::move(args);
    made.sources = std::move(sources);
    return std::make_shared<const node>(std::move(made));
}

std::vector<value> evaluate(const tree& root, std::size_t count, const library& measured) {
    std::vector<value> made = evaluator(measured).at(root);
    if (made.size() == 1) return std::vector<value>(count, made.front());
    if (made.size() != count) throw std::logic_error("oracle: a result of the wrong size");
    return made;
}

}  // namespace oracle
