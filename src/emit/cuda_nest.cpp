#include <emit/cuda_nest.hpp>

#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/nest/infix.hpp>
#include <text/format.hpp>

#include <initializer_list>
#include <utility>

namespace kiln::emit {

namespace {

namespace nest = plan::nest;
using nest::binding;
using nest::expression;
using nest::id;
using nest::memory;
using nest::runner;
using nest::statement;
using nest::tree;
using kind = nest::type::kind;

class printer {
public:
    explicit printer(const tree& of) : tree_(of), accesses_(of.aliased) {}

    cuda_nest run(const std::string& name) {
        text_ = text::format(
            "extern \"C\" __global__ void __launch_bounds__({})\n{}({})\n{{\n    wait_for_earlier_kernels();\n",
            tree_.threads, name, parameters());
        for (const memory& each : tree_.memories)
            if (each.where == memory::place::shared) {
                line();
                text_ += "__shared__ ";
                declare(each);
            }
        statements(tree_.first);
        text_ += "}\n";
        return {accesses_.definitions(), std::move(text_)};
    }

private:
    [[nodiscard]] std::string name_of(nest::type of) const {
        switch (of.what) {
            case kind::boolean: return "bool";
            case kind::small: return "int";
            case kind::index: return tree_.wide ? "long long" : "int";
            case kind::number: return tree_.wide ? "long long" : "unsigned int";
            case kind::word: return "long long";
            case kind::element: return spelling(of.of);
            case kind::vector: return vector_type(of.of, of.lanes);
            case kind::bits: return vector_bits(of.of, of.lanes);
            case kind::accumulators: return "accumulators" + set_of(of).suffix;
            case kind::found: return text::format("found_{}", info(of.of).suffix);
        }
        return {};
    }

    [[nodiscard]] const plan::reduction_set& set_of(nest::type of) const {
        return tree_.sets[static_cast<std::size_t>(of.set)];
    }
    [[nodiscard]] const memory& memory_at(std::int64_t number) const {
        return tree_.memories[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] const nest::variable& variable_at(std::int64_t number) const {
        return tree_.variables[static_cast<std::size_t>(number)];
    }

    [[nodiscard]] std::string parameters() const {
        std::string out;
        for (std::size_t i = 0; i < tree_.parameters.size(); ++i) {
            if (i) out += ", ";
            const id of = tree_.parameter_of[i];
            if (of == nest::none) out += "const __grid_constant__ layout at";
            else if (plan::is_address(tree_.parameters[i].what)) {
                const memory& each = memory_at(of);
                out += each.is_written ? "" : "const ";
                const bool alone = !tree_.aliased && !each.of_many_blocks;
                out += name_of(each.is) + (alone ? "* __restrict__ " : "* ") + each.name;
            } else {
                out += "const " + name_of(variable_at(of).is) + " " + variable_at(of).name;
            }
        }
        return out;
    }

    // --- Statements ---

    void line() { text_.append(static_cast<std::size_t>(4 * depth_), ' '); }

    void declare(const memory& of) {
        if (of.is.what == kind::vector) accesses_.mention(of.is);
        text_ += text::format("{} {}[{}];\n", name_of(of.is), of.name, of.elements);
    }

    /// One plain statement stands on the line of what it is in.
    void block(id first, bool has_otherwise = false) {
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

    void statements(id first) {
        for (id each = first; each != nest::none; each = tree_.step(each).next) print(tree_.step(each));
    }

    void print(const statement& of) {
        if (of.what == statement::kind::loop) return loop(of);
        line();
        switch (of.what) {
            case statement::kind::loop: break;
            case statement::kind::when:
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
            case statement::kind::declare: declare(memory_at(of.a)); break;
            case statement::kind::define: {
                const nest::variable& defined = variable_at(of.variable);
                if (defined.is.what == kind::vector) accesses_.mention(defined.is);
                if (!defined.changes) text_ += "const ";
                text_ += name_of(defined.is) + " " + defined.name;
                if (of.a != nest::none) {
                    text_ += " = ";
                    print(of.a);
                }
                text_ += ";\n";
                break;
            }
            case statement::kind::assign: assign(of); break;
            case statement::kind::compute: compute(of); break;
            case statement::kind::leave: text_ += "break;\n"; break;
            case statement::kind::end: text_ += "return;\n"; break;
            case statement::kind::barrier: text_ += "__syncthreads();\n"; break;
        }
    }

    void assign(const statement& of) {
        const expression& to = tree_.at(of.a);
        if (to.what == nest::operation::access && !(to.is == memory_at(to.number).is)) {
            text_ += accesses_.store(to.is, memory_at(to.number).past_caches);
            text_ += "(";
            address(to);
            text_ += ", ";
            print(of.b);
            text_ += ");\n";
            return;
        }
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

    void compute(const statement& of) {
        text_ += tree_.bodies.empty() ? "body" : tree_.bodies[static_cast<std::size_t>(of.body)].name;
        text_ += "(";
        for (int i = 0; i < of.argument_count; ++i) {
            if (i) text_ += ", ";
            print(tree_.arguments[static_cast<std::size_t>(of.first_argument + i)]);
        }
        text_ += ");\n";
    }

    void loop(const statement& of) {
        const nest::variable& turn = variable_at(of.variable);
        if (of.by == runner::grid || of.by == runner::thread) {
            line();
            text_ += "const " + name_of(turn.is) + " " + turn.name + " = ";
            text_ += of.by == runner::grid ? std::string("blockIdx.x") : thread_text(of);
            text_ += ";\n";
            const int outside = threads_outside_;
            if (of.by == runner::thread) threads_outside_ *= static_cast<int>(tree_.at(of.b).number);
            statements(of.inside);
            threads_outside_ = outside;
            return;
        }
        line();
        if (of.by == runner::unrolled) {
            text_ += "#pragma unroll\n";
            line();
        } else if (of.written_out) {
            text_ += text::format("#pragma unroll {}\n", of.written_out);
            line();
        }
        text_ += text::format("for ({0} {1} = ", name_of(turn.is), turn.name);
        print(of.a);
        text_ += text::format("; {} {} ", turn.name, of.goes == nest::stride::halves ? ">" : "<");
        print(of.b, binding::sum);
        const expression& step = tree_.at(of.c);
        if (of.goes == nest::stride::adds && step.what == nest::operation::constant && step.number == 1) {
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

    /// Which turn of this loop a thread takes: of several such loops, threads of the innermost are neighbours.
    [[nodiscard]] std::string thread_text(const statement& of) const {
        const auto extent = static_cast<int>(tree_.at(of.b).number);
        const int inside = tree_.threads / (threads_outside_ * extent);
        std::string out = "threadIdx.x";
        if (inside > 1) out += text::format(" / {}", inside);
        if (threads_outside_ > 1) out += text::format(" % {}", extent);
        return out;
    }

    // --- Expressions ---

    void call(const char* name, std::initializer_list<id> arguments) {
        text_ += name;
        text_ += "(";
        bool first = true;
        for (const id each : arguments) {
            if (!std::exchange(first, false)) text_ += ", ";
            print(each);
        }
        text_ += ")";
    }

    void print(id of, binding least = binding::choice) { print(tree_.at(of), least); }

    void print(const expression& of, binding least = binding::choice) {
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
            case nest::operation::constant: text_ += std::to_string(of.number); break;
            case nest::operation::word:
                text_ += of.is.what == kind::index && !tree_.wide ? text::format("int(at.word[{}])", of.number)
                                                                  : text::format("at.word[{}]", of.number);
                break;
            case nest::operation::variable: text_ += variable_at(of.number).name; break;
            case nest::operation::quotient:
                if (tree_.wide) {
                    print(of.a, binding::product);
                    text_ += text::format(" / at.word[{}]", tree_.at(of.b).number);
                } else {
                    text_ += "divide(";
                    print(of.a);
                    text_ += text::format(", at.word[{}])", tree_.at(of.c).number);
                }
                break;
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
                text_ += "static_cast<" + name_of(of.is) + ">(";
                print(of.a);
                text_ += ")";
                break;
            case nest::operation::least: call("least_index", {of.a, of.b}); break;
            case nest::operation::wrap: call("wrap_index", {of.a, of.b}); break;
            case nest::operation::clamp: call("clamp_index", {of.a, of.b}); break;
            case nest::operation::mirror: call("mirror_index", {of.a, of.b}); break;
            case nest::operation::outside: call("outside_index", {of.a, of.b}); break;
            case nest::operation::access: access(of); break;
            case nest::operation::zeros: text_ += "{}"; break;
            case nest::operation::whole: text_ += memory_at(of.number).name; break;
            case nest::operation::layout: text_ += "at"; break;
            case nest::operation::lane:
                print(of.a, binding::call);
                text_ += ".v[";
                print(of.b);
                text_ += "]";
                break;
            case nest::operation::reinterpret:
                text_ += "reinterpret_cast<const " + name_of(of.is) + "&>(";
                print(of.a);
                text_ += ")";
                break;
            case nest::operation::identity: text_ += "identity" + set_of(of.is).suffix + "()"; break;
            case nest::operation::combine: call("combine", {of.a, of.b}); break;
            case nest::operation::append: call(append_name(set_of(of.is)), {of.a, of.b}); break;
            case nest::operation::member:
                print(of.a, binding::call);
                text_ += text::format(".s{}", of.number);
                break;
            case nest::operation::value_of:
            case nest::operation::place_of:
                print(of.a, binding::call);
                text_ += of.what == nest::operation::value_of ? ".value" : ".at";
                break;
            case nest::operation::finish: call(text::format("finish_{}", of.number).c_str(), {of.a, of.b}); break;
            case nest::operation::is_null: text_ += "!" + memory_at(of.number).name; break;
            case nest::operation::aligned:
                text_ += "reinterpret_cast<unsigned long long>(";
                address(of);
                text_ += text::format(") % {} == 0", tree_.at(of.b).number);
                break;
            case nest::operation::shuffle: call("shuffle", {of.a, of.b}); break;
            case nest::operation::shuffle_down: call("shuffle_down", {of.a, of.b}); break;
            case nest::operation::count_block:
                text_ += "is_last_of(";
                print(of.b);
                text_ += ", ";
                address(of);
                text_ += ")";
                break;
            default: break;  // infixes
        }
    }

    void address(const expression& of) {
        text_ += memory_at(of.number).name + " + ";
        print(of.a, binding::product);
    }

    void access(const expression& of) {
        const memory& from = memory_at(of.number);
        if (of.is == from.is) {
            text_ += from.name + "[";
            print(of.a);
            text_ += "]";
            return;
        }
        text_ += accesses_.load(of.is) + "(";
        address(of);
        text_ += ")";
    }

    const tree& tree_;
    vector_accesses accesses_;
    std::string text_;
    int depth_ = 1;
    int threads_outside_ = 1;
};

}  // namespace

cuda_nest print_cuda(const tree& of, const std::string& name) { return printer(of).run(name); }

}  // namespace kiln::emit
