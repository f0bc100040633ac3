#include <streamed/evaluation.hpp>

#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <streamed/budget.hpp>
#include <streamed/host_memory.hpp>
#include <streamed/scan_in_order.hpp>
#include <streamed/taken_elements.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <utility>

namespace kiln::streamed {

using kiln::detail::output;
using kiln::detail::purpose;

namespace {

thread_local constinit bool in_a_chunk = false;

class scoped_chunk {
public:
    scoped_chunk() noexcept : before_(std::exchange(in_a_chunk, true)) {}
    scoped_chunk(const scoped_chunk&) = delete;
    scoped_chunk& operator=(const scoped_chunk&) = delete;
    ~scoped_chunk() { in_a_chunk = before_; }

private:
    const bool before_;
};

}  // namespace

bool is_in_a_chunk() noexcept { return in_a_chunk; }

evaluation::evaluation(backend::device& on, const char* label, evaluate_function evaluate_terms)
    : on_(on),
      label_(label),
      evaluate_terms_(evaluate_terms),
      reaches_host_(backend::reaches_host(on)),
      sizes_(on),
      moves_(on) {}

void evaluation::run(const handle<term>& root, output& to) {
    const slices parts(root, sizes_.order());
    const shape& extents = parts.of_root();
    if (extents.size() == 0) return finish(root, to);
    if (to.where == output::place::through && !(extents == to.target->extents)) return finish(root, to);
    const cutting how = sizes_.cut(root, parts, to);
    if (how.carries) return run_carried(how, to);
    if (how.scans) return run_scanned(root, how, to);
    if (how.axis >= 0) {
        std::vector<chunked> only;
        only.push_back(begin(parts, to));
        if (only.front().leaves && is_there(root)) only.front().there = root.get()->node;
        return run_chunks(only, how.axis, how.count);
    }
    run_whole(root, parts, to, how);
}

// --- what is on the device

void evaluation::evaluate_here(const handle<term>* roots, output* outputs, int count) {
    const scoped_chunk here;
    moves_.before_kernels();
    evaluate_terms_(roots, outputs, count, label_, purpose::launch);
}

void evaluation::evaluate_into(const handle<term>& root, array_node& place) {
    output into{output::place::through, false, &place};
    evaluate_here(root, into);
}

bool evaluation::is_there(const handle<term>& root) const {
    return root.get()->what == term::kind::array && root.get()->node.get()->device == on_.known();
}

handle<array_node> evaluation::fresh(const handle<term>& root) {
    moves_.before_kernels();  // of who reads it without evaluating it, too
    if (is_there(root)) return root.get()->node;
    output to;
    evaluate_here(root, to);
    return handle<array_node>(to.written);
}

handle<array_node> evaluation::whole(handle<array_node> made) {
    if (made.get()->contiguous) return made;
    output out;
    evaluate_here(kiln::detail::make_array_term(made, made.get()->type), out);
    return handle<array_node>(out.written);
}

handle<array_node> evaluation::elements(const handle<term>& root) {
    const bool is_there = root.get()->what == term::kind::array && reaches_host_ &&
                          is_on_host(*root.get()->node.get()) && !root.get()->node.get()->map;
    handle<array_node> made = is_there ? root.get()->node : fresh(root);
    return whole(std::move(made));
}

void evaluation::finish(const handle<term>& made, output& to) {
    if (to.where != output::place::through || !writes_host(to) || reaches_host_) {
        evaluate_here(made, to);
        return;
    }
    moves_.begin_chunk();
    moves_.copy_out(whole(fresh(made)), kiln::detail::share(*to.target));
    moves_.end_chunk([](int) { return nullptr; });
    to.written = to.target;
}

void evaluation::run_whole(const handle<term>& root, const slices& parts, output& to, const cutting& how) {
    const std::vector<std::string>& reasons = how.reasons;
    const std::int64_t needed = sizes_.bytes_in_one_piece(root, to);
    const std::int64_t there = free_budget(on_);
    // In one piece all of a file would be in memory, in place of a chunk that is asked for.
    const bool has_room = reaches_host_ ? how.least <= there : needed <= there;
    if (!has_room)
        if (const handle<term> rest = with_scans_aside(root, parts)) return run(rest, to);
    if (!has_room && !reaches_host_)
        throw error(
            text::format("kiln: an expression of host arrays of shape {} on {} cannot be cut into chunks that fit, and "
                         "takes {} bytes in one piece where {} may be taken ({}){}{}",
                         to_string(parts.of_root()), name_of(*on_.known()), needed, there, budget_text(on_),
                         reasons.empty() ? "" : ": ", text::format("{}", fmt::join(reasons, "; "))));
    if (!has_room)
        throw error(text::format(
            "kiln: the smallest chunk of an expression of files of shape {} takes {} bytes, where {} may be "
            "taken ({}){}{}",
            to_string(parts.of_root()), how.least, there, budget_text(on_), reasons.empty() ? "" : ": ",
            text::format("{}", fmt::join(reasons, "; "))));
    finish(chunk_sizes::goes_by_operands(root) ? parts.whole(operands()) : parts.in_one_piece(operands()), to);
    once_.clear();
}

// --- operands

void evaluation::check_file(const array_node& node) {
    if (const mapped_file* const file = file_of(node)) file->check();
}

handle<term> evaluation::whole_operand(const handle<array_node>& node) {
    check_file(*node.get());
    if (reaches_host_) return kiln::detail::make_array_term(node, node.get()->type);
    if (node.get()->map) return kiln::detail::make_array_term(moves_.copy_storage(*node.get()), node.get()->type);
    return once_.of(node, [this](const array_node& of) { return moves_.copy_for_all(of); });
}

operand_places evaluation::operands() {
    return {[this](const handle<array_node>& node) {
                check_file(*node.get());
                // However often an expression reads it, it is one operand, as of an array: kernels are the same.
                return chunk_.of(node, [this, &node](const array_node& of) {
                    if (!reaches_host_) return moves_.copy_in(of);
                    read_.push_back(node);
                    return node;
                });
            },
            [this](const handle<array_node>& node) { return whole_operand(node); },
            [this](const handle<term>& made) { return evaluated(made); },
            [this](const term& reduction, const handle<term>& part, const shape& whole, std::uint8_t axes) {
                const auto evaluate = [this](const handle<term>& of) { return elements(of); };
                if (!reduction.scans) return reduced_in_order(reduction, part, whole, axes, on_, label_, evaluate);
                if (!can_scan_in_order(reduction, on_.target())) return handle<term>();
                return scanned_in_order(reduction, part, whole, axes, on_, label_, evaluate);
            },
            reaches_host_ ? decltype(operand_places::rolled)()
                          : [this](const handle<array_node>& node, const rolled_part& blocks) {
                                check_file(*node.get());
                                return chunk_.of(node, [&](const array_node&) { return moves_.copy_in(blocks); });
                            }};
}

handle<term> evaluation::evaluated(const handle<term>& made) {
    for (const auto& [of, term_of] : evaluated_)
        if (of.get() == made.get()) return term_of;
    output to;
    evaluation alone(on_, label_, evaluate_terms_);
    alone.run(made, to);
    handle<term> out = kiln::detail::make_array_term(handle<array_node>(to.written), made.get()->type);
    evaluated_.emplace_back(made, out);
    return out;
}

}  // namespace kiln::streamed
