#include <emit/host_nest.hpp>

#include <emit/c_nest.hpp>
#include <emit/library.hpp>
#include <emit/reduction_text.hpp>
#include <emit/row_moves.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <utility>

namespace kiln::emit {

namespace {

namespace nest = plan::nest;
using nest::binding;
using nest::expression;
using nest::id;
using nest::memory;
using nest::movement;
using nest::runner;
using nest::statement;
using nest::tree;
using kind = nest::type::kind;

class host_printer : c_printer {
public:
    host_printer(const tree& of, bool calls_library, bool calls_runs)
        : c_printer(of), calls_library_(calls_library), calls_runs_(calls_runs) {}

    host_nest run(const std::string& name) {
        statements(tree_.first);
        std::string out = text::format(
            "extern \"C\" void {}(void* const* parameters, long long begin, long long end, const void* const* "
            "library)\n{{\n",
            name);
        for (std::size_t i = 0; i < tree_.parameters.size(); ++i) out += unpack(i);
        if (!calls_library_ && !reads_library_) out += "    (void)library;\n";
        return {std::move(helpers_), out + text_ + "}\n"};
    }

private:
    [[nodiscard]] std::string name_of(nest::type of) const override {
        switch (of.what) {
            case kind::boolean: return "bool";
            case kind::small: return "int";
            case kind::element: return spelling(of.of);
            case kind::accumulators: return accumulator_type(reduction_of(of));
            default: return "i64";
        }
    }
    /// Here every set is of one.
    [[nodiscard]] const plan::reduced_output& reduction_of(nest::type of) const {
        return set_of(of).members.front().of;
    }

    /// Whether for all that a compiler knows the layout is what results are stored to: bytes, which may be anything, or its own 64 bits. It would
    /// read words again after each element, and find no vectors.
    [[nodiscard]] bool may_store_to_layout() const {
        return std::any_of(tree_.memories.begin(), tree_.memories.end(), [](const memory& each) {
            if (!each.is_written || each.is.what != kind::element) return false;
            const int bytes = bytes_of(each.is.of);
            return kind_of(each.is.of) == element_kind::integer && (bytes == 1 || bytes == 8);
        });
    }

    [[nodiscard]] std::string unpack(std::size_t slot) const {
        const id of = tree_.parameter_of[slot];
        const plan::role what = tree_.parameters[slot].what;
        if (of == nest::none && may_store_to_layout())
            return text::format(
                "    i64 at[{0}];\n    for (int i = 0; i < {0}; ++i) at[i] = static_cast<const "
                "i64*>(parameters[{1}])[i];\n",
                tree_.layout_words, slot);
        if (of == nest::none)
            return text::format("    const i64* const at = static_cast<const i64*>(parameters[{}]);\n", slot);
        if (what == plan::role::element_count) return {};  // the range of elements says how many there are
        if (!plan::is_address(what))
            return text::format("    const {0} {1} = *static_cast<const {0}*>(parameters[{2}]);\n",
                                name_of(variable_at(of).is), variable_at(of).name, slot);
        const memory& each = memory_at(of);
        return text::format("    {0}{1}* const {2} = *static_cast<{0}{1}* const*>(parameters[{3}]);\n",
                            each.is_written ? "" : "const ", name_of(each.is), each.name, slot);
    }

    // --- Statements ---

    void mention(nest::type) override {}
    [[nodiscard]] const char* last_argument() const override { return calls_library_ ? ", library" : ""; }
    [[nodiscard]] const char* last_argument_of(nest::type set) const override {
        return takes_library(reduction_of(set)) ? ", library" : "";
    }

    void declare(const statement& of) override {
        const memory& each = memory_at(of.a);
        if (each.where == memory::place::pointer) {
            text_ += text::format("const {}* {} = ", name_of(each.is), each.name);
            print(of.b);
            text_ += ";\n";
            return;
        }
        if (each.aligned) text_ += text::format("alignas({}) ", each.aligned);
        text_ += text::format("{} {}[{}];\n", name_of(each.is), each.name, each.elements);
    }

    /// Past the caches, from memory of the thread's.
    bool store_vector(const expression& to, id from) override {
        text_ += helper("store_nontemporal") + "(";
        place(to);
        text_ += ", ";
        print(from);
        text_ += text::format(", {});\n", to.is.lanes * bytes_of(to.is.of));
        return true;
    }

    void before_loop(const statement& of) override {
        if (of.by != runner::simd) return;
        line();
        text_ += "#pragma GCC ivdep\n";
        const bool is_whole = of.written_out == 1 && tree_.at(of.b).what == nest::operation::constant;
        if (!is_whole) return;
        line();
        text_ += "#pragma GCC unroll 1\n";
    }

    void own_statement(const statement& of) override {
        switch (of.what) {
            case statement::kind::move:
                line();
                text_ += name_of(of) + "(" + (is_in_library(of.how) ? "library, " : "");
                reads_library_ = reads_library_ || is_in_library(of.how);
                arguments(of);
                if (of.how == movement::turn) text_ += text::format(", {}", of.extent);
                text_ += ");\n";
                break;
            case statement::kind::function:
                line();
                reads_library_ = true;
                text_ += "block_" + tree_.pieces[static_cast<std::size_t>(of.body)].name + "(library, ";
                arguments(of);
                text_ += ", ";
                print(of.a);
                text_ += ");\n";
                break;
            case statement::kind::allocate: allocate(of); break;
            case statement::kind::point:
                line();
                text_ += memory_at(of.a).name + " = ";
                print(of.b);
                text_ += ";\n";
                break;
            case statement::kind::append_run:
                line();
                print(of.a);
                text_ += " = ";
                reduce("run", of);
                break;
            case statement::kind::reduce_rows:
                line();
                reduce("rows", of);
                break;
            default: break;  // what CUDA alone has
        }
    }

    /// A call of a function that reduces neighbours (reduction_text.cpp).
    void reduce(const char* function, const statement& of) {
        const nest::type set = tree_.at(of.a).is;
        const auto argument = [&](int number) {
            print(tree_.arguments[static_cast<std::size_t>(of.first_argument + number)]);
        };
        text_ += text::format("{}_{}(", function, set_of(set).members.front().number);
        print(of.a);
        text_ += ", ";
        argument(0);
        text_ += ", ";
        print(of.b);
        text_ += ", ";
        argument(1);
        const bool by_library = runs_in_library(reduction_of(set), calls_runs_);
        reads_library_ = reads_library_ || by_library;
        text_ += text::format("{});\n", by_library ? ", library" : last_argument_of(set));
    }

    std::string name_of(const statement& of) {
        const nest::type moved = tree_.at(tree_.arguments[static_cast<std::size_t>(of.first_argument)]).is;
        return move_name(of.how, bytes_of(moved.of));
    }

    void allocate(const statement& of) {
        int bytes = 0;
        std::string pointers;
        for (const memory& each : tree_.memories) {
            if (each.where != memory::place::scratch) continue;
            pointers += text::format("    {0}* const {1} = reinterpret_cast<{0}*>(memory + {2} * {3});\n",
                                     name_of(each.is), each.name, variable_at(tree_.at(of.a).number).name, bytes);
            bytes += bytes_of(each.is.of);
        }
        reads_library_ = true;
        text_ += text::format(
            "    char* const memory = static_cast<char*>(\n"
            "        reinterpret_cast<void* (*)(i64)>(const_cast<void*>(library[{}]))({} * {}));\n",
            thread_memory_slot, variable_at(tree_.at(of.a).number).name, bytes);
        text_ += pointers;
    }

    // --- Expressions ---

    void word(const expression& of) override { text_ += text::format("at[{}]", of.number); }

    void place(const expression& of) {
        const expression& from = tree_.at(of.a);
        if (from.what == nest::operation::constant && from.number == 0) text_ += memory_at(of.number).name;
        else address(of);
    }

    void own_expression(const expression& of) override {
        switch (of.what) {
            case nest::operation::quotient:
                print(of.a, binding::product);
                text_ += text::format(" / at[{}]", tree_.at(of.b).number);
                break;
            case nest::operation::wrap_run: call("wrap_run", {of.a, of.b}); break;
            case nest::operation::inside_run: call("inside_run", {of.a, of.b}); break;
            case nest::operation::outside_run: call("outside_run", {of.a, of.b}); break;
            case nest::operation::divide_run: call("divide_run", {of.a, of.b}); break;
            case nest::operation::past_caches: past_caches(); break;
            case nest::operation::place: place(of); break;
            case nest::operation::identity:
                text_ += text::format("identity_{}()", set_of(of.is).members.front().number);
                break;
            case nest::operation::combine:
                call(text::format("combine_{}", set_of(of.is).members.front().number), {of.a, of.b});
                break;
            case nest::operation::member: print(of.a, binding::call); break;
            default: break;  // what CUDA alone has
        }
    }

    /// Where the caller wants it, and every output begins with a line.
    void past_caches() {
        std::string addresses;
        for (const memory& each : tree_.memories)
            if (each.where == memory::place::parameter && each.is_written)
                addresses += (addresses.empty() ? "(i64)" : " | (i64)") + each.name;
        reads_library_ = true;
        text_ += text::format("library[{}] && ({}) % {} == 0", static_cast<int>(library_function::count), addresses,
                              plan::nest::line_bytes);
    }

    const bool calls_library_;
    const bool calls_runs_;
    bool reads_library_ = false;
};

}  // namespace

host_nest print_host(const tree& of, const std::string& name, bool calls_library, bool calls_runs) {
    return host_printer(of, calls_library, calls_runs).run(name);
}

}  // namespace kiln::emit
