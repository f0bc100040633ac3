// kiln/emit/c_nest: what CUDA C++ and the host's C++ have in common of a nest's text: statements and expressions of C.
// in: a nest   out: lines   knows nothing of: which nest, and why
#pragma once

#include <emit/body.hpp>
#include <plan/nest/infix.hpp>
#include <plan/nest/nest.hpp>

#include <initializer_list>
#include <string>

namespace kiln::emit {

class c_printer {
protected:
    explicit c_printer(const plan::nest::tree& of) : tree_(of) {}
    ~c_printer() = default;

    // --- What languages write in their own way ---
    [[nodiscard]] virtual std::string name_of(plan::nest::type of) const = 0;
    virtual void word(const plan::nest::expression& of) = 0;
    virtual void declare(const plan::nest::statement& of) = 0;
    /// A variable of this type stands in the text.
    virtual void mention(plan::nest::type of) = 0;
    /// What stands before a loop of one thread, a line each.
    virtual void before_loop(const plan::nest::statement& of) = 0;
    /// Loops that are no loops of one thread, and statements that one language alone has.
    virtual void own_statement(const plan::nest::statement& of) = 0;
    virtual void own_expression(const plan::nest::expression& of) = 0;
    /// A store of several elements; false: there is none.
    virtual bool store_vector(const plan::nest::expression& to, plan::nest::id from) = 0;
    /// After a body's arguments.
    [[nodiscard]] virtual const char* last_argument() const { return ""; }
    /// After the arguments of a function of a set of reductions.
    [[nodiscard]] virtual const char* last_argument_of(plan::nest::type) const { return ""; }

    // --- What they write alike ---
    [[nodiscard]] const plan::reduction_set& set_of(plan::nest::type of) const {
        return tree_.sets[static_cast<std::size_t>(of.set)];
    }
    [[nodiscard]] const plan::nest::memory& memory_at(std::int64_t number) const {
        return tree_.memories[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] const plan::nest::variable& variable_at(std::int64_t number) const {
        return tree_.variables[static_cast<std::size_t>(number)];
    }

    void line() { text_.append(static_cast<std::size_t>(4 * depth_), ' '); }
    void statements(plan::nest::id first);
    void print(plan::nest::id of, plan::nest::binding least = plan::nest::binding::choice) {
        print(tree_.at(of), least);
    }
    void print(const plan::nest::expression& of, plan::nest::binding least = plan::nest::binding::choice);
    /// "name(a, b)"
    void call(const std::string& name, std::initializer_list<plan::nest::id> arguments, const char* last = "");
    void arguments(const plan::nest::statement& of);
    void address(const plan::nest::expression& of);
    /// A piece of helpers/ that the text calls.
    const std::string& helper(const std::string& name) {
        helpers_ += name + " ";
        return name;
    }

    const plan::nest::tree& tree_;
    std::string text_;
    std::string helpers_;  // by their names
    int depth_ = 1;

private:
    void print(const plan::nest::statement& of);
    void block(plan::nest::id first, bool has_otherwise = false);
    void assign(const plan::nest::statement& of);
    void compute(const plan::nest::statement& of);
    void loop(const plan::nest::statement& of);
};

}  // namespace kiln::emit
