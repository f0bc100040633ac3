#include <emit/cuda_nest.hpp>

#include <emit/c_nest.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/nest/taken.hpp>
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
using nest::runner;
using nest::statement;
using nest::tree;
using kind = nest::type::kind;

class cuda_printer : c_printer {
public:
    explicit cuda_printer(const tree& of) : c_printer(of), accesses_(of.aliased) {}

    cuda_nest run(const std::string& name) {
        const std::string cluster = tree_.cluster > 1 ? text::format(" __cluster_dims__({})", tree_.cluster) : "";
        const std::string resident = tree_.resident > 0 ? text::format(", {}", tree_.resident) : "";
        text_ = text::format("extern \"C\" __global__ void __launch_bounds__({}{}){}\n{}({})\n{{\n    {}();\n",
                             tree_.threads, resident, cluster, name, parameters(), helper("wait_for_earlier_kernels"));
        if (nest::dynamic_shared_bytes(tree_)) {
            line();
            int aligned = 16;
            for (const nest::memory& each : tree_.memories)
                if (each.is_dynamic) aligned = std::max(aligned, each.aligned);
            text_ += text::format("extern __shared__ __align__({}) unsigned char dynamic_shared[];\n", aligned);
        }
        for (std::size_t i = 0; i < tree_.memories.size(); ++i)
            if (tree_.memories[i].where == memory::place::shared) declare_shared(i);
        statements(tree_.first);
        text_ += "}\n";
        return {accesses_.definitions(), std::move(helpers_), std::move(text_)};
    }

private:
    [[nodiscard]] std::string name_of(nest::type of) const override {
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
            case kind::mbarrier: return "unsigned long long";
            case kind::published: return "published<" + std::string(spelling(of.of)) + ">";
            case kind::state: return {};  // no variable is one by itself
            case kind::found: return text::format("found_{}", info(of.of).suffix);
        }
        return {};
    }

    [[nodiscard]] std::string parameters() const {
        std::string out;
        for (std::size_t i = 0; i < tree_.parameters.size(); ++i) {
            if (i) out += ", ";
            const id of = tree_.parameter_of[i];
            if (of == nest::none) {
                out += "const __grid_constant__ layout at";
            } else if (plan::is_address(tree_.parameters[i].what)) {
                const memory& each = memory_at(of);
                const bool alone = each.stays || (!tree_.aliased && !each.of_many_blocks);
                out += each.is_written ? "" : "const ";
                out += name_of(each.is) + (alone ? "* __restrict__ " : "* ") + each.name;
            } else {
                out += "const " + name_of(variable_at(of).is) + " " + variable_at(of).name;
            }
        }
        return out;
    }

    // --- Statements ---

    void mention(nest::type of) override {
        if (of.what == kind::vector) accesses_.mention(of);
    }

    void declare(const statement& of) override { declare(memory_at(of.a)); }
    void declare(const memory& of) {
        mention(of.is);
        text_ += text::format("{} {}[{}];\n", name_of(of.is), of.name, of.elements);
    }

    void declare_shared(std::size_t which) {
        const memory& of = tree_.memories[which];
        line();
        if (of.is_dynamic) {
            mention(of.is);
            text_ += text::format("{}* const {} = reinterpret_cast<{}*>(dynamic_shared + {});\n", name_of(of.is),
                                  of.name, name_of(of.is), nest::dynamic_shared_begin(tree_, which));
            return;
        }
        text_ += of.aligned ? text::format("__shared__ __align__({}) ", of.aligned) : "__shared__ ";
        declare(of);
    }

    bool store_vector(const expression& to, id from) override {
        text_ += accesses_.store(to.is, memory_at(to.number).past_caches);
        text_ += "(";
        address(to);
        text_ += ", ";
        // A memory may be written in vectors of several lengths: zeros alone would not say of which.
        if (tree_.at(from).what == nest::operation::zeros) text_ += name_of(to.is);
        print(from);
        text_ += ");\n";
        return true;
    }

    void before_loop(const statement& of) override {
        if (of.by != runner::unrolled && !of.written_out) return;
        line();
        text_ += of.by == runner::unrolled ? "#pragma unroll\n" : text::format("#pragma unroll {}\n", of.written_out);
    }

    void own_statement(const statement& of) override {
        line();
        if (of.what == statement::kind::apart) return apart(of);
        if (of.what == statement::kind::stages) return stages(of);
        if (of.what != statement::kind::loop) return exchange(of);
        const nest::variable& turn = variable_at(of.variable);
        text_ += "const " + name_of(turn.is) + " " + turn.name + " = ";
        text_ += of.by == runner::thread ? thread_text(of) : block_text(of.by);
        text_ += ";\n";
        const int outside = threads_outside_;
        if (of.by == runner::thread) threads_outside_ *= static_cast<int>(tree_.at(of.b).number);
        statements(of.inside);
        threads_outside_ = outside;
    }

    /// Stages beside each other: threads of their own, each with a loop over what the block takes.
    void stages(const statement& of) {
        std::vector<const statement*> all;
        for (id each = of.inside; each != nest::none; each = tree_.step(each).next) all.push_back(&tree_.step(each));
        text_ += text::format("__shared__ {}<{}, {}> in_slots;\n", helper("stage_slots"), all.size(), of.extent);
        line();
        text_ += "if (threadIdx.x == 0) {\n";
        ++depth_;
        line();
        text_ += "in_slots.begin();\n";
        for (std::size_t i = 0; i < all.size(); ++i) {
            line();
            text_ += text::format("in_slots.begin({}, {});\n", i, all[i]->extent);
        }
        --depth_;
        line();
        text_ += "}\n";
        line();
        text_ += "__syncthreads();\n";
        line();
        const auto copies = std::find_if(all.begin(), all.end(), [](const statement* each) { return each->ahead > 0; });
        text_ += copies == all.end() ? std::string("if (threadIdx.x == 0) in_slots.take<0, 0>(")
                                     : text::format("if (threadIdx.x == 0) in_slots.take<{}, {}>(",
                                                    copies - all.begin(), (*copies)->ahead);
        address(tree_.at(of.a));
        text_ += ", ";
        print(of.b);
        text_ += ");\n";
        int first = plan::warp;
        for (std::size_t i = 0; i < all.size(); ++i) {
            stage(of, *all[i], static_cast<int>(i), first);
            first += all[i]->extent;
        }
    }

    void stage(const statement& all, const statement& of, int number, int first) {
        stage_ = {number, of.extent};
        const std::string slot = variable_at(static_cast<id>(tree_.at(all.c).number)).name;
        const std::string item = variable_at(all.variable).name;
        const auto say = [&](const std::string& text) {
            line();
            text_ += text;
            text_ += "\n";
        };
        say(text::format("if ({} <= threadIdx.x && threadIdx.x < {}) {{", first, first + of.extent));
        ++depth_;
        say(text::format("const int {} = threadIdx.x - {};", variable_at(of.variable).name, first));
        say("for (int slot_turn = 0;; ++slot_turn) {");
        ++depth_;
        say(text::format("const int {} = slot_turn % {};", slot, all.extent));
        const std::string parity = text::format("slot_turn / {} & 1", all.extent);
        if (!of.after) say(text::format("in_slots.wait({}, {});", slot, parity));
        for (int i = 0; of.after >> i; ++i)
            if (of.after >> i & 1) say(text::format("in_slots.wait({}, {}, {});", i, slot, parity));
        say(text::format("const long long {} = in_slots.item[{}];", item, slot));
        line();
        text_ += text::format("if ({} >= ", item);
        print(all.b, binding::sum);
        text_ += ") {\n";
        ++depth_;
        say(text::format("in_slots.end({}, {});", number, slot));
        say("break;");
        --depth_;
        say("}");
        statements(of.inside);
        say(text::format("in_slots.{}({}, {});", of.ahead ? "end_with_copies" : "end", number, slot));
        --depth_;
        say("}");
        --depth_;
        say("}");
        stage_ = {};
    }

    /// It is given what it takes: what it captured would be in memory.
    void apart(const statement& of) {
        const nest::taken taken = nest::taken_by(tree_, of);
        std::string parameters;
        std::string given;
        const auto take = [&](const std::string& type, const std::string& name) {
            if (!given.empty()) parameters += ", ", given += ", ";
            parameters += type + " " + name;
            given += name;
        };
        for (const id each : taken.variables) take("const " + name_of(variable_at(each).is), variable_at(each).name);
        for (const id each : taken.memories) {
            const memory& of_block_or_device = memory_at(each);
            const bool is_read = of_block_or_device.where == memory::place::parameter && !of_block_or_device.is_written;
            take((is_read ? "const " : "") + name_of(of_block_or_device.is) + "*", of_block_or_device.name);
        }
        if (taken.layout) take("const layout&", "at");
        const bool gives = of.variable != nest::none;
        if (gives)
            text_ +=
                text::format("const {} {} = ", name_of(variable_at(of.variable).is), variable_at(of.variable).name);
        text_ += text::format("[]({}) __noinline__ {{\n", parameters);
        ++depth_;
        statements(of.inside);
        if (gives) {
            line();
            text_ += "return ";
            print(of.a);
            text_ += ";\n";
        }
        --depth_;
        line();
        text_ += text::format("}}({});\n", given);
    }

    [[nodiscard]] std::string block_text(runner by) const {
        // Where it has all bits: gridDim.x - 1 - blockIdx.x.
        if (tree_.turned != nest::none)
            return text::format("(blockIdx.x ^ {0}) + (gridDim.x & {0})", variable_at(tree_.turned).name);
        if (tree_.cluster == 1) return "blockIdx.x";
        return text::format("blockIdx.x {} {}", by == runner::grid ? "/" : "%", tree_.cluster);
    }

    /// Barriers, and what goes on in the background.
    void exchange(const statement& of) {
        switch (of.what) {
            case statement::kind::barrier:
                text_ += of.extent ? helper("barrier_of") + text::format("<{}>()", of.extent) : "__syncthreads()";
                break;
            case statement::kind::wave_barrier: text_ += "__syncwarp()"; break;
            case statement::kind::stage_barrier:
                text_ += helper("barrier_of_stage") + text::format("<{}, {}>()", stage_.number, stage_.threads);
                break;
            case statement::kind::reads_underway: text_ += helper("reads_are_underway") + "()"; break;
            case statement::kind::copy_async: {
                const nest::type is = tree_.at(of.a).is;
                const std::string name = of.c == nest::none ? "copy_async" : "copy_async_part";
                text_ += of.by_first_cache ? helper(name + "_by_first_cache") + "("
                                           : helper(name) + text::format("<{}>(", bytes_of(is.of) * is.lanes);
                address(tree_.at(of.a));
                text_ += ", ";
                address(tree_.at(of.b));
                if (of.c != nest::none) text_ += ", ", print(of.c);
                text_ += ")";
                break;
            }
            case statement::kind::commit_copies: text_ += helper("commit_copies") + "()"; break;
            case statement::kind::wait_copies:
                text_ += helper("wait_copies") + text::format("<{}>()", of.extent);
                break;
            case statement::kind::atomic:
            case statement::kind::atomic_of_wave: atomic(of); break;
            case statement::kind::publish:
                text_ += helper("publish") + "(";
                address(tree_.at(of.a));
                text_ += ", ";
                print(of.b);
                text_ += ")";
                break;
            case statement::kind::await:
                text_ += helper("await") + text::format("<{}>(", of.extent);
                address(tree_.at(of.a));
                text_ += ", ";
                address(tree_.at(of.b));
                text_ += ", ";
                print(of.c);
                text_ += ", ";
                print(tree_.arguments[static_cast<std::size_t>(of.first_argument)]);
                text_ += ")";
                break;
            case statement::kind::look:
                print(of.c);
                text_ += " = " + helper("published_so_far") + text::format("<{}>(", of.extent);
                address(tree_.at(of.a));
                text_ += ", ";
                address(tree_.at(of.b));
                text_ += ", ";
                print(tree_.arguments[static_cast<std::size_t>(of.first_argument)]);
                text_ += ")";
                break;
            case statement::kind::cluster_barrier: text_ += helper("cluster_barrier") + "()"; break;
            case statement::kind::say_begun: text_ += helper("say_begun") + "()"; break;
            case statement::kind::await_begun: text_ += helper("await_begun") + "()"; break;
            case statement::kind::init_mbarrier: at_mbarrier("init_mbarrier", of); break;
            case statement::kind::arrive: at_mbarrier("arrive", of); break;
            case statement::kind::wait_mbarrier: at_mbarrier("wait_mbarrier", of); break;
            case statement::kind::store_async:
                text_ += helper("store_async") + "(";
                remote_address(tree_.at(of.a));
                text_ += ", ";
                print(of.b);
                text_ += ", ";
                remote_address(tree_.at(of.c));
                text_ += ")";
                break;
            case statement::kind::load_tile:
                text_ += helper("load_tile") + text::format("<{}, {}>(", of.extent, of.is_turned);
                addresses({of.a, of.b});
                break;
            case statement::kind::multiply_tile:
                text_ += helper(text::format("multiply_tile_{}", nest::info(of.shape).name)) + "(";
                addresses({of.a, of.b, of.c});
                break;
            case statement::kind::publish_copies: text_ += helper("publish_copies") + "()"; break;
            case statement::kind::multiply_group:
                text_ += helper(text::format("multiply_group_{}", nest::info(of.shape).name)) +
                         text::format("<{}, {}>(", of.is_turned, of.is_turned_too);
                addresses({of.a, of.b, of.c});
                break;
            case statement::kind::wait_products:
                text_ += helper("wait_products") + text::format("<{}>()", of.extent);
                break;
            default: break;  // what the host alone has
        }
        text_ += ";\n";
    }

    void atomic(const statement& of) {
        static constexpr const char* names[] = {"atomic_sum", "atomic_least", "atomic_greatest"};
        const std::string name = names[static_cast<int>(of.combining)];
        text_ += helper(of.c == nest::none ? name : name + "_of_wave") + "(";
        address(tree_.at(of.a));
        text_ += ", ";
        print(of.b);
        if (of.c != nest::none) text_ += ", ", print(of.c);
        text_ += ")";
    }

    /// And the end of the call.
    void addresses(std::initializer_list<id> of) {
        bool first = true;
        for (const id each : of) {
            if (!std::exchange(first, false)) text_ += ", ";
            address(tree_.at(each));
        }
        text_ += ")";
    }

    void at_mbarrier(const char* what, const statement& of) {
        text_ += helper(what) + "(";
        address(tree_.at(of.a));
        text_ += ", ";
        print(of.b);
        text_ += ")";
    }

    void remote_address(const expression& of) {
        text_ += helper("of_block") + "(";
        address(of);
        text_ += ", ";
        print(of.b);
        text_ += ")";
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

    void word(const expression& of) override {
        text_ += of.is.what == kind::index && !tree_.wide ? text::format("int(at.word[{}])", of.number)
                                                          : text::format("at.word[{}]", of.number);
    }

    void own_expression(const expression& of) override {
        switch (of.what) {
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
            case nest::operation::remote:
                text_ += "*";
                remote_address(of);
                break;
            case nest::operation::access:
                if (memory_at(of.number).where == memory::place::shared) {
                    mention(of.is);
                    text_ += "reinterpret_cast<const " + name_of(of.is) + "&>(" + memory_at(of.number).name + "[";
                    print(of.a);
                    text_ += "])";
                    break;
                }
                text_ += accesses_.load(of.is) + "(";
                address(of);
                text_ += ")";
                break;
            case nest::operation::convert: {  // of 16-bit floats, and to them
                const element_type from = tree_.at(of.a).is.of;
                call(helper(text::format("{}_from_{}", info(of.is.of).suffix, info(from).suffix)), {of.a});
                break;
            }
            case nest::operation::zeros: text_ += "{}"; break;
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
            case nest::operation::is_null: text_ += "!" + memory_at(of.number).name; break;
            case nest::operation::aligned:
                text_ += "reinterpret_cast<unsigned long long>(";
                address(of);
                text_ += text::format(") % {} == 0", tree_.at(of.b).number);
                break;
            case nest::operation::skew:
                text_ += "int(reinterpret_cast<unsigned long long>(";
                address(of);
                text_ += text::format(") % {} / {})", tree_.at(of.b).number, bytes_of(memory_at(of.number).is.of));
                break;
            case nest::operation::across: call(helper("across"), {of.a, of.b, of.c}); break;
            case nest::operation::shuffle: call(helper("shuffle"), {of.a, of.b}); break;
            case nest::operation::shuffle_down: call(helper("shuffle_down"), {of.a, of.b}); break;
            case nest::operation::piece: {
                const nest::piece& called = tree_.pieces[static_cast<std::size_t>(of.number)];
                text_ += helper(called.name) + "(";
                for (std::size_t i = 0; i < called.arguments.size(); ++i) {
                    if (i) text_ += ", ";
                    print(called.arguments[i]);
                }
                text_ += ")";
                break;
            }
            case nest::operation::count_block:
                text_ += helper("is_last_of") + "(";
                print(of.b);
                text_ += ", ";
                address(of);
                text_ += ")";
                break;
            case nest::operation::ticket:
                text_ += helper("next_number") + "(";
                address(of);
                text_ += ")";
                break;
            default: break;  // what the host alone has
        }
    }

    vector_accesses accesses_;
    int threads_outside_ = 1;
    struct {
        int number = 0;
        int threads = 0;
    } stage_;  // around
};

}  // namespace

cuda_nest print_cuda(const tree& of, const std::string& name) { return cuda_printer(of).run(name); }

}  // namespace kiln::emit
