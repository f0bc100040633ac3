#include <emit/c_nest.hpp>

#include <emit/reduction_text.hpp>
#include <text/format.hpp>

#include <utility>

namespace kiln::emit {

namespace nest = plan::nest;
using nest::binding;
using nest::expression;
using nest::id;
using nest::runner;
using nest::statement;

// --- Statements ---

void c_printer::statements(id first) {
    for (id each = first; each != nest::none; each = tree_.step(each).next) print(tree_.step(each));
}

/// One plain statement stands on the line of what it is in.
void c_printer::block(id first, bool has_otherwise) {
    if (first == nest::none) {
        text_ += "{}";
        return;
    }
    const statement& only = tree_.step(first);
    const bool is_plain = only.what == statement::kind::assign || only.what == statement::kind::compute ||
                          only.what == statement::kind::leave || only.what == statement::kind::end;
    if (is_plain && only.next == nest::none && !has_otherwise) {
        const int depth = std::exchange(depth_, 0);
        print(only);
        depth_ = depth;
        text_.pop_back();  // the line goes on
        return;
    }
    text_ += "{\n";
    ++depth_;
    statements(first);
    --depth_;
    line();
    text_ += "}";
}

void c_printer::print(const statement& of) {
    switch (of.what) {
        case statement::kind::loop: return loop(of);
        case statement::kind::when:
            line();
            text_ += "if (";
            print(of.a);
            text_ += ") ";
            block(of.inside, of.otherwise != nest::none);
            if (of.otherwise != nest::none) {
                text_ += " else ";
                block(of.otherwise, true);
            }
            text_ += "\n";
            break;
        case statement::kind::declare:
            line();
            declare(of);
            break;
        case statement::kind::define: {
            const nest::variable& defined = variable_at(of.variable);
            mention(defined.is);
            line();
            if (!defined.changes) text_ += "const ";
            text_ += name_of(defined.is) + " " + defined.name;
            if (of.a != nest::none) {
                text_ += " = ";
                print(of.a);
            }
            text_ += ";\n";
            break;
        }
        case statement::kind::assign:
            line();
            assign(of);
            break;
        case statement::kind::compute:
            line();
            compute(of);
            break;
        case statement::kind::leave:
            line();
            text_ += "break;\n";
            break;
        case statement::kind::end:
            line();
            text_ += "return;\n";
            break;
        default: own_statement(of);
    }
}

void c_printer::assign(const statement& of) {
    const expression& to = tree_.at(of.a);
    if (to.what == nest::operation::access && !(to.is == memory_at(to.number).is) && store_vector(to, of.b)) return;
    if (to.what == nest::operation::reinterpret) {
        text_ += "reinterpret_cast<" + name_of(to.is) + "&>(";
        print(to.a);
        text_ += ")";
    } else {
        print(of.a);
    }
    text_ += " = ";
    print(of.b);
    text_ += ";\n";
}

void c_printer::arguments(const statement& of) {
    for (int i = 0; i < of.argument_count; ++i) {
        if (i) text_ += ", ";
        print(tree_.arguments[static_cast<std::size_t>(of.first_argument + i)]);
    }
}

void c_printer::compute(const statement& of) {
    if (of.tests) text_ += "fast_";
    if (of.of_block) text_ += "block_";
    text_ += tree_.bodies.empty() ? "body" : tree_.bodies[static_cast<std::size_t>(of.body)].name;
    text_ += "(";
    arguments(of);
    text_ += last_argument();
    text_ += ");\n";
}

void c_printer::loop(const statement& of) {
    if (of.by == runner::grid || of.by == runner::cluster || of.by == runner::thread) return own_statement(of);
    if (of.inside == nest::none) return;  // as where a value has one thread: nothing to combine
    const nest::variable& turn = variable_at(of.variable);
    before_loop(of);
    line();
    text_ += text::format("for ({0} {1} = ", name_of(turn.is), turn.name);
    print(of.a);
    text_ += text::format("; {} {} ", turn.name, of.goes == nest::stride::halves ? ">" : "<");
    print(of.b, binding::sum);
    const expression& step = tree_.at(of.c);
    if (of.goes == nest::stride::given) {
        text_ += ";) ";
    } else if (of.goes == nest::stride::adds && step.what == nest::operation::constant && step.number == 1) {
        text_ += text::format("; ++{}) ", turn.name);
    } else {
        static constexpr const char* signs[] = {"+=", "*=", "/="};
        text_ += text::format("; {} {} ", turn.name, signs[static_cast<int>(of.goes)]);
        print(of.c);
        text_ += ") ";
    }
    block(of.inside);
    text_ += "\n";
}

// --- Expressions ---

namespace {

bool is_small(nest::type of) { return of.what == nest::type::kind::element && is_small_float(of.of); }

}  // namespace

void c_printer::call(const std::string& name, std::initializer_list<id> arguments, const char* last) {
    text_ += name;
    text_ += "(";
    bool first = true;
    for (const id each : arguments) {
        if (!std::exchange(first, false)) text_ += ", ";
        print(each);
    }
    text_ += last;
    text_ += ")";
}

void c_printer::address(const expression& of) {
    text_ += memory_at(of.number).name;
    const expression& place = tree_.at(of.a);
    if (place.what == nest::operation::constant && place.number == 0) return;
    text_ += " + ";
    print(of.a, binding::product);
}

void c_printer::print(const expression& of, binding least) {
    if (const nest::infix* const found = nest::infix_of(of.what)) {
        const bool apart = found->binds < least;
        if (apart) text_ += "(";
        print(of.a, nest::left_of(*found));
        text_ += found->sign;
        print(of.b, nest::right_of(*found));
        if (apart) text_ += ")";
        return;
    }
    switch (of.what) {
        case nest::operation::constant:
            if (of.is == nest::types::boolean) text_ += of.number ? "true" : "false";
            else text_ += std::to_string(of.number);
            break;
        case nest::operation::word: word(of); break;
        case nest::operation::variable: text_ += variable_at(of.number).name; break;
        case nest::operation::invert:
        case nest::operation::negate:
            text_ += of.what == nest::operation::invert ? "~" : "!";
            print(of.a, binding::unary);
            break;
        case nest::operation::select:
            if (least > binding::choice) text_ += "(";
            print(of.a, binding::either);
            text_ += " ? ";
            print(of.b);
            text_ += " : ";
            print(of.c);
            if (least > binding::choice) text_ += ")";
            break;
        case nest::operation::convert:
            if (is_small(of.is) || is_small(tree_.at(of.a).is)) return own_expression(of);
            text_ += "static_cast<" + name_of(of.is) + ">(";
            print(of.a);
            text_ += ")";
            break;
        case nest::operation::least: call("least_index", {of.a, of.b}); break;
        case nest::operation::wrap: call("wrap_index", {of.a, of.b}); break;
        case nest::operation::clamp: call("clamp_index", {of.a, of.b}); break;
        case nest::operation::mirror: call("mirror_index", {of.a, of.b}); break;
        case nest::operation::outside: call("outside_index", {of.a, of.b}); break;
        case nest::operation::access:
            if (!(of.is == memory_at(of.number).is)) return own_expression(of);
            text_ += memory_at(of.number).name + "[";
            print(of.a);
            text_ += "]";
            break;
        case nest::operation::whole: text_ += memory_at(of.number).name; break;
        case nest::operation::layout: text_ += "at"; break;
        case nest::operation::finish:
            call(text::format("finish_{}", of.number), {of.a, of.b}, last_argument_of(tree_.at(of.a).is));
            break;
        default: own_expression(of);
    }
}

}  // namespace kiln::emit
