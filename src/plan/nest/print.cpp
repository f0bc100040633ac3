#include <plan/nest/print.hpp>

#include <plan/nest/infix.hpp>
#include <text/format.hpp>

#include <initializer_list>
#include <utility>

namespace kiln::plan::nest {

namespace {

constexpr const char* runs[] = {"blocks of the grid", "blocks of a cluster", "threads of the block", "unrolled",
                                "in order",           "vector units"};

constexpr const char* movements[] = {"turn", "copy_rows", "gather_rows", "spread_rows", "repeat_rows", "spread_block"};

class people_printer {
public:
    explicit people_printer(const tree& of) : tree_(of) {}

    std::string run() {
        for (const memory& each : tree_.memories)
            if (each.where == memory::place::shared)
                line(text::format("{}: {} of {}, shared{}", each.name, each.elements, name_of(each.is),
                                  each.is_dynamic ? ", given at launch" : ""));
        statements(tree_.first);
        return std::move(text_);
    }

private:
    [[nodiscard]] static std::string name_of(type of) {
        switch (of.what) {
            case type::kind::element: return info(of.of).name;
            case type::kind::vector:
            case type::kind::bits: return text::format("{} x {}", info(of.of).name, of.lanes);
            case type::kind::mbarrier: return "mbarrier";
            case type::kind::published: return text::format("published {}", info(of.of).name);
            case type::kind::accumulators: return "what some elements come to";
            default: return "integer";
        }
    }

    void line(const std::string& text) {
        text_.append(static_cast<std::size_t>(4 * depth_), ' ');
        text_ += text + "\n";
    }

    void inside(id first) {
        ++depth_;
        statements(first);
        --depth_;
    }

    void statements(id first) {
        for (id each = first; each != none; each = tree_.step(each).next) print(tree_.step(each));
    }

    void print(const statement& of) {
        switch (of.what) {
            case statement::kind::loop: loop(of); break;
            case statement::kind::when:
                line("if " + value(of.a));
                inside(of.inside);
                if (of.otherwise == none) break;
                line("else");
                inside(of.otherwise);
                break;
            case statement::kind::apart:
                if (of.variable == none) {
                    line("apart:");
                    inside(of.inside);
                    break;
                }
                line("apart, " + tree_.variables[static_cast<std::size_t>(of.variable)].name + ":");
                inside(of.inside);
                line("is " + value(of.a));
                break;
            case statement::kind::declare: {
                const memory& own = tree_.memories[static_cast<std::size_t>(of.a)];
                if (own.where == memory::place::pointer) line(own.name + " = " + value(of.b));
                else line(text::format("{}: {} of {}, the thread's own", own.name, own.elements, name_of(own.is)));
                break;
            }
            case statement::kind::define: {
                const variable& defined = tree_.variables[static_cast<std::size_t>(of.variable)];
                line(of.a == none ? defined.name + ": " + name_of(defined.is) : defined.name + " = " + value(of.a));
                break;
            }
            case statement::kind::assign: line(value(of.a) + " = " + value(of.b)); break;
            case statement::kind::compute: compute(of); break;
            case statement::kind::move: line(list(movements[static_cast<int>(of.how)], of)); break;
            case statement::kind::function:
                line(list(tree_.pieces[static_cast<std::size_t>(of.body)].name.c_str(), of) + " of " + value(of.a) +
                     " elements");
                break;
            case statement::kind::allocate:
                line("memory of the thread: of each value " + value(of.a) + " elements");
                break;
            case statement::kind::point: line(name_of_memory(of.a) + " = " + value(of.b)); break;
            case statement::kind::append_run:
                line(value(of.a) + " = append(" + value(of.a) + ", " + value(of.b) + " from " +
                     value(tree_.arguments[static_cast<std::size_t>(of.first_argument)]) + ")");
                break;
            case statement::kind::reduce_rows:
                line(value(of.a) + " = reduce(" + value(of.b) + " rows of " +
                     value(tree_.arguments[static_cast<std::size_t>(of.first_argument + 1)]) + " from " +
                     value(tree_.arguments[static_cast<std::size_t>(of.first_argument)]) + ")");
                break;
            case statement::kind::leave: line("leave the loop"); break;
            case statement::kind::end: line("the thread ends"); break;
            case statement::kind::barrier:
                line(of.extent ? text::format("barrier of the first {} threads", of.extent) : std::string("barrier"));
                break;
            case statement::kind::stages:
                line(text::format("for {} below {}, as the block takes them, in {} slots, {} this one's: stages",
                                  tree_.variables[static_cast<std::size_t>(of.variable)].name, value(of.b), of.extent,
                                  value(of.c)));
                inside(of.inside);
                stage_ = 0;
                break;
            case statement::kind::stage: stage(of); break;
            case statement::kind::stage_barrier: line("barrier of the stage"); break;
            case statement::kind::wave_barrier: line("barrier of a warp"); break;
            case statement::kind::reads_underway: line("what was read is on its way"); break;
            case statement::kind::copy_async:
                line("copy, in the background" + std::string(of.by_first_cache ? ", by the first cache: " : ": ") +
                     value(of.a) + " = " + value(of.b) +
                     (of.c == none ? std::string() : ", the first " + value(of.c) + ", then zeros"));
                break;
            case statement::kind::commit_copies: line("these copies are a group"); break;
            case statement::kind::wait_copies:
                line(of.extent ? text::format("wait for all groups but the last {}", of.extent)
                               : std::string("wait for all groups"));
                break;
            case statement::kind::publish: line("publish: " + value(of.a) + " = " + value(of.b)); break;
            case statement::kind::await:
                line(text::format("wait: {} and {} more = published {} and on, {} apart, of {} that come", value(of.a),
                                  of.extent - 1, value(of.b), value(of.c),
                                  value(tree_.arguments[static_cast<std::size_t>(of.first_argument)])));
                break;
            case statement::kind::look:
                line(text::format(
                    "look: {} and {} more = published {} and on, of {} that will come; {} of the first are there",
                    value(of.a), of.extent - 1, value(of.b),
                    value(tree_.arguments[static_cast<std::size_t>(of.first_argument)]), value(of.c)));
                break;
            case statement::kind::cluster_barrier: line("barrier of the cluster"); break;
            case statement::kind::say_begun: line("say to the cluster: begun"); break;
            case statement::kind::await_begun: line("wait: all of the cluster have begun"); break;
            case statement::kind::atomic:
            case statement::kind::atomic_of_wave: {
                static constexpr const char* how[] = {"+=", "becomes the less of it and",
                                                      "becomes the greater of it and"};
                line(text::format("atomically{}: {} {} {}", of.c == none ? std::string() : ", where " + value(of.c),
                                  value(of.a), how[static_cast<int>(of.combining)], value(of.b)));
                break;
            }
            case statement::kind::init_mbarrier: line(value(of.a) + ": of " + value(of.b) + " threads"); break;
            case statement::kind::arrive: line("arrive at " + value(of.a) + ", with bytes: " + value(of.b)); break;
            case statement::kind::wait_mbarrier: line("wait at " + value(of.a) + ", parity " + value(of.b)); break;
            case statement::kind::store_async:
                line("send: " + value(of.a) + " = " + value(of.b) + ", to " + value(of.c));
                break;
            case statement::kind::load_tile:
                line(text::format("{} = {} squares, a row at {}{}", value(of.a), of.extent, value(of.b),
                                  of.is_turned ? ", transposed" : ""));
                break;
            case statement::kind::multiply_tile:
                line(text::format("{} += {} times {}, tiles of {}", value(of.a), value(of.b), value(of.c),
                                  nest::info(of.shape).name));
                break;
            case statement::kind::publish_copies: line("groups of warps may see what was copied"); break;
            case statement::kind::multiply_group:
                line(text::format("in the background: {} += {}{} times {}{}, {} columns of {}", value(of.a),
                                  value(of.b), of.is_turned ? " transposed" : "", value(of.c),
                                  of.is_turned_too ? " transposed" : "", of.extent, nest::info(of.shape).name));
                break;
            case statement::kind::wait_products:
                line(of.extent ? text::format("wait for all products but the last {}", of.extent)
                               : std::string("wait for all products"));
                break;
        }
    }

    void stage(const statement& of) {
        std::string after;
        for (int i = 0; of.after >> i; ++i)
            if (of.after >> i & 1) after += text::format("{}{}", after.empty() ? ", after stage " : ", ", i);
        const std::string ahead = of.ahead ? text::format(", copies of {} items underway", of.ahead) : std::string();
        line(text::format("stage {}, of {} threads, {}{}{}", stage_++, of.extent,
                          tree_.variables[static_cast<std::size_t>(of.variable)].name, after, ahead));
        inside(of.inside);
    }

    void loop(const statement& of) {
        const std::string& name = tree_.variables[static_cast<std::size_t>(of.variable)].name;
        const char* const by = runs[static_cast<int>(of.by)];
        if (of.by == runner::grid) {
            line(text::format("for {}: {}", name, by));
        } else {
            const bool from_0 = tree_.at(of.a).what == operation::constant && tree_.at(of.a).number == 0;
            const std::string from = from_0 ? "" : value(of.a) + " to ";
            const bool by_1 = tree_.at(of.c).what == operation::constant && tree_.at(of.c).number == 1;
            const std::string step = of.goes == stride::doubles  ? ", doubling"
                                     : of.goes == stride::halves ? ", halving"
                                     : of.goes == stride::given  ? ", as it is set inside"
                                     : by_1                      ? ""
                                                                 : " by " + value(of.c);
            line(text::format("for {} {}{}{}: {}", name, from_0 ? "below " : "from ", from, value(of.b) + step, by));
        }
        inside(of.inside);
    }

    void compute(const statement& of) {
        std::string results;
        std::string inputs;
        for (int i = 0; i < of.argument_count; ++i) {
            std::string& to = i < of.inputs ? inputs : results;
            to += (to.empty() ? "" : ", ") + value(tree_.arguments[static_cast<std::size_t>(of.first_argument + i)]);
        }
        const std::string name = of.of_block            ? "block_body"
                                 : tree_.bodies.empty() ? "body"
                                                        : tree_.bodies[static_cast<std::size_t>(of.body)].name;
        if (of.of_block) return line(name + "(" + inputs + ")");
        line(results + " = " + (of.tests ? "fast_" : "") + name + "(" + inputs + ")");
    }

    [[nodiscard]] const std::string& name_of_memory(id of) const {
        return tree_.memories[static_cast<std::size_t>(of)].name;
    }

    [[nodiscard]] std::string list(const char* name, const statement& of) const {
        std::string out;
        for (int i = 0; i < of.argument_count; ++i)
            out += (i ? ", " : "") + value(tree_.arguments[static_cast<std::size_t>(of.first_argument + i)]);
        return std::string(name) + "(" + out + ")";
    }

    [[nodiscard]] std::string call(const char* name, std::initializer_list<id> arguments) const {
        std::string out = name;
        out += "(";
        bool first = true;
        for (const id each : arguments)
            if (each != none) out += (std::exchange(first, false) ? "" : ", ") + value(each);
        return out + ")";
    }

    [[nodiscard]] const std::string& memory_name(const expression& of) const {
        return tree_.memories[static_cast<std::size_t>(of.number)].name;
    }

    [[nodiscard]] std::string value(id which, binding least = binding::choice) const {
        const expression& of = tree_.at(which);
        if (const infix* const found = infix_of(of.what)) {
            std::string out = value(of.a, left_of(*found)) + found->sign + value(of.b, right_of(*found));
            return found->binds < least ? "(" + out + ")" : out;
        }
        switch (of.what) {
            case operation::constant: return std::to_string(of.number);
            case operation::word: return text::format("word {}", of.number);
            case operation::variable: return tree_.variables[static_cast<std::size_t>(of.number)].name;
            case operation::quotient:
                return value(of.a, binding::product) + text::format(" / word {}", tree_.at(of.b).number);
            case operation::invert: return "~" + value(of.a, binding::unary);
            case operation::negate: return "!" + value(of.a, binding::unary);
            case operation::select: {
                const std::string out = value(of.a, binding::either) + " ? " + value(of.b) + " : " + value(of.c);
                return least > binding::choice ? "(" + out + ")" : out;
            }
            case operation::convert:
            case operation::reinterpret: return value(of.a, least);
            case operation::least: return call("least", {of.a, of.b});
            case operation::wrap: return call("wrap", {of.a, of.b});
            case operation::clamp: return call("clamp", {of.a, of.b});
            case operation::mirror: return call("mirror", {of.a, of.b});
            case operation::outside: return call("outside", {of.a, of.b});
            case operation::wrap_run: return call("wrap_run", {of.a, of.b});
            case operation::inside_run: return call("inside_run", {of.a, of.b});
            case operation::outside_run: return call("outside_run", {of.a, of.b});
            case operation::divide_run: return call("divide_run", {of.a, of.b});
            case operation::past_caches: return "results shall go past the caches";
            case operation::place: return memory_name(of) + " from " + value(of.a);
            case operation::access: {
                const bool is_vector = of.is.what == type::kind::vector || of.is.what == type::kind::bits;
                return memory_name(of) + "[" + value(of.a) +
                       (is_vector ? text::format(", {} at once]", of.is.lanes) : std::string("]"));
            }
            case operation::remote: return memory_name(of) + "[" + value(of.a) + "] of block " + value(of.b);
            case operation::zeros: return "0";
            case operation::whole: return memory_name(of);
            case operation::layout: return "layout";
            case operation::is_null: return "!" + memory_name(of);
            case operation::aligned:
                return text::format("{} + {} is at {} bytes", memory_name(of), value(of.a, binding::product),
                                    tree_.at(of.b).number);
            case operation::skew:
                return text::format("elements from {} bytes to {} + {}", tree_.at(of.b).number, memory_name(of),
                                    value(of.a, binding::product));
            case operation::across: return text::format("{}, {} from {} on", value(of.a), value(of.b), value(of.c));
            case operation::lane: return value(of.a, binding::call) + "[" + value(of.b) + "]";
            case operation::identity: return "nothing";
            case operation::combine: return call("combine", {of.a, of.b});
            case operation::append: return call("append", {of.a, of.b});
            case operation::member: return text::format("{}.s{}", value(of.a, binding::call), of.number);
            case operation::value_of: return value(of.a, binding::call) + ".value";
            case operation::place_of: return value(of.a, binding::call) + ".at";
            case operation::finish: return call("finish", {of.a, of.b});
            case operation::shuffle: return call("shuffle", {of.a, of.b});
            case operation::shuffle_down: return call("shuffle_down", {of.a, of.b});
            case operation::count_block: return call("is_last_block", {of.b});
            case operation::ticket: return "the next number";
            case operation::piece: {
                const piece& called = tree_.pieces[static_cast<std::size_t>(of.number)];
                std::string arguments;
                for (const id each : called.arguments) arguments += (arguments.empty() ? "" : ", ") + value(each);
                return called.name + "(" + arguments + ")";
            }
            default: return {};
        }
    }

    const tree& tree_;
    std::string text_;
    int depth_ = 0;
    int stage_ = 0;  // of those around
};

}  // namespace

std::string print(const tree& of) { return people_printer(of).run(); }

}  // namespace kiln::plan::nest
