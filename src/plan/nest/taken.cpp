#include <plan/nest/taken.hpp>

#include <algorithm>

namespace kiln::plan::nest {

namespace {

class walk {
public:
    explicit walk(const tree& in) : tree_(in) {}

    taken run(const statement& apart) {
        statements(apart.inside);
        value(apart.a);
        return std::move(out_);
    }

private:
    void statements(id first) {
        for (id each = first; each != none; each = tree_.step(each).next) {
            const statement& of = tree_.step(each);
            if (of.variable != none) own_variables_.push_back(of.variable);
            if (of.what == statement::kind::declare) own_memories_.push_back(of.a);
            else value(of.a);
            value(of.b);
            value(of.c);
            for (int i = 0; i < of.argument_count; ++i)
                value(tree_.arguments[static_cast<std::size_t>(of.first_argument + i)]);
            statements(of.inside);
            statements(of.otherwise);
        }
    }

    void value(id which) {
        if (which == none) return;
        const expression& of = tree_.at(which);
        const auto number = static_cast<id>(of.number);
        switch (of.what) {
            case operation::variable: take(number, own_variables_, out_.variables); break;
            case operation::word:
            case operation::layout:
            case operation::quotient: out_.layout = true; break;
            case operation::access:
            case operation::remote:
            case operation::whole:
            case operation::is_null:
            case operation::aligned:
            case operation::skew:
            case operation::place: take(number, own_memories_, out_.memories); break;
            case operation::piece:
                for (const id each : tree_.pieces[static_cast<std::size_t>(number)].arguments) value(each);
                break;
            default: break;
        }
        value(of.a);
        value(of.b);
        value(of.c);
    }

    static void take(id which, const std::vector<id>& own, std::vector<id>& to) {
        const auto has = [which](const std::vector<id>& all) {
            return std::find(all.begin(), all.end(), which) != all.end();
        };
        if (!has(own) && !has(to)) to.push_back(which);
    }

    const tree& tree_;
    taken out_;
    std::vector<id> own_variables_;
    std::vector<id> own_memories_;
};

}  // namespace

taken taken_by(const tree& in, const statement& apart) { return walk(in).run(apart); }

}  // namespace kiln::plan::nest
