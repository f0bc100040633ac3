// A coupled ODE whose right side depends on a sum, on a GPU: 100 steps of 512 x 512 complex floats, one kernel a step, launched
// and replayed, beside kernels written by hand in a bare loop and in a graph. Wall time, the wait at the end included.
#include "gpu.hpp"
#include "hand_written_gpu.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <chrono>
#include <complex>
#include <deque>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

using complex = std::complex<float>;
constexpr float dt = 1e-4f;

constexpr auto slope_f = [](const auto& f, const auto& g, const auto& d) {
    return complex(0, -2) * f - complex(0, 1) * d * (2.0f * g - 1.0f);
};
constexpr auto slope_g = [](const auto& f, const auto& d) {
    return complex(0, -1) * (k::conj(d) * f - d * k::conj(f));
};
constexpr auto simple_slope_g = [](const auto& f, const auto& d) { return 2.0f * k::imag(k::conj(d) * f); };

template <class Slope>
auto step_with(Slope slope_g_) {
    return k::fuse([=](auto f, auto g, auto d) {
        const auto half = [](const auto& from, const auto& slope) { return k::expr<complex>(from + dt / 2 * slope); };
        const auto both = [=](const auto& f_, const auto& g_) {
            return std::pair(k::expr<complex>(slope_f(f_, g_, d)), k::expr<complex>(slope_g_(f_, d)));
        };
        const auto [f1, g1] = both(f, g);
        const k::expr<complex> fa = half(f, f1), ga = half(g, g1);
        const auto [f2, g2] = both(fa, ga);
        const k::expr<complex> fb = half(f, f2), gb = half(g, g2);
        const auto [f3, g3] = both(fb, gb);
        const k::expr<complex> fc = f + dt * f3, gc = g + dt * g3;
        const auto [f4, g4] = both(fc, gc);
        const k::expr<complex> next = f + dt / 6 * (f1 + 2.0f * f2 + 2.0f * f3 + f4);
        return std::tuple(next, g + dt / 6 * (g1 + 2.0f * g2 + 2.0f * g3 + g4), k::sum(next));
    });
}

struct state {
    explicit state(std::int64_t n)
        : f(k::ones<complex>({n, n})), g(k::ones<complex>({n, n})), d(k::ones<complex>({})) {}
    k::array<complex> f, g, d;
};

/// The kernel by hand, from one state to another and back.
class by_hand_steps {
public:
    by_hand_steps(CUstream stream, std::int64_t n, int steps, bool simplified)
        : stream_(stream),
          states_{state(n), state(n)},
          sums_(k::zeros<complex>({n * n / coupled_odes_points_of_block})),
          counter_(k::zeros<std::uint32_t>({1})),
          kernel_(coupled_odes_name, coupled_odes_source(simplified)),
          blocks_(n * n / coupled_odes_points_of_block) {
        for (int to = 0; to < 2; ++to) {
            state& next = states_[1 - to];
            const state& now = std::as_const(states_[to]);
            arguments& of = arguments_[to];
            of.memory = {next.f.data(), next.g.data(), next.d.data(), now.f.data(),
                         now.g.data(),  now.d.data(),  sums_.data(),  counter_.data()};
            for (const void*& each : of.memory) of.parameters.push_back(&each);
        }
        std::vector<void**> of_each;
        for (int step = 0; step < steps; ++step) of_each.push_back(arguments_[step % 2].parameters.data());
        chain_.emplace_back(kernel_, blocks_, coupled_odes_threads, of_each);
    }

    void launch(int step) {
        kernel_.launch(stream_, blocks_, coupled_odes_threads, arguments_[step % 2].parameters.data());
    }
    void launch_all() { chain_.front().launch(stream_); }
    /// After one step from where it stands, the first of all.
    complex first_sum() {
        launch(0);
        return states_[1].d.item();
    }

private:
    struct arguments {
        std::vector<const void*> memory;
        std::vector<void*> parameters;
    };
    CUstream stream_;
    state states_[2];
    k::array<complex> sums_;
    k::array<std::uint32_t> counter_;
    gpu_kernel kernel_;
    std::int64_t blocks_;
    arguments arguments_[2];
    std::deque<gpu_chain> chain_;
};

/// Microseconds per step.
std::function<double()> timed(int steps, std::function<void()> run) {
    return [steps, run = std::move(run)] {
        k::synchronize();
        const auto start = std::chrono::steady_clock::now();
        run();
        k::synchronize();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        return took.count() / steps;
    };
}

bool is_first_sum(complex d, std::int64_t points) {
    const complex expected(static_cast<float>(points), -3 * dt * static_cast<float>(points));
    return std::abs(d - expected) < 1e-6f * static_cast<float>(points);
}

bool measure(report& out, CUstream stream, std::int64_t n, int steps, int rounds) {
    by_hand_steps stands(stream, n, steps, /*simplified=*/false);
    by_hand_steps simplified(stream, n, steps, /*simplified=*/true);
    bool right = is_first_sum(stands.first_sum(), n * n) && is_first_sum(simplified.first_sum(), n * n);

    const auto as_it_stands = step_with(slope_g);
    const auto shorter = step_with(simple_slope_g);
    std::deque<state> states;
    std::deque<k::graph> graphs;
    std::vector<contender> contenders;
    std::vector<std::string> names;
    const auto add = [&](const char* what, const char* how, std::function<void()> run) {
        names.push_back(k::text::format("{}, {}", what, how));
        contenders.emplace_back();
        contenders.back().measure = timed(steps, std::move(run));
    };
    const auto add_by_hand = [&](const char* how, by_hand_steps& of) {
        add("by hand", how, [&of, steps] {
            for (int each = 0; each < steps; ++each) of.launch(each);
        });
        add("by hand in a graph", how, [&of] { of.launch_all(); });
    };
    const auto add_kiln = [&](const char* how, const auto& step) {
        state& own = states.emplace_back(n);
        add("kiln", how, [&own, &step, steps] {
            for (int each = 0; each < steps; ++each) std::tie(own.f, own.g, own.d) = step(own.f, own.g, own.d);
        });
        state& other = states.emplace_back(n);
        k::graph& all = graphs.emplace_back(k::graph({&other.f, &other.g, &other.d}, [&] {
            std::tie(other.f, other.g, other.d) = step(other.f, other.g, other.d);
        }));
        all.replay(1);
        right = right && is_first_sum(other.d.item(), n * n);
        add("kiln replayed", how, [&all, steps] { all.replay(steps); });
    };
    add_by_hand("as the equations stand", stands);
    add_by_hand("simplified", simplified);
    add_kiln("as the equations stand", as_it_stands);
    add_kiln("2 Im(conj(d) F)", shorter);
    take_turns(contenders, rounds);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        const summary us = summarize(contenders[i].values);
        if (i < 4) {
            out.add({names[i], us, "us a step"});
            continue;
        }
        // Against the same equations, written and handed over in the same way.
        out.add({names[i], us, "us a step", ratio(contenders[i], contenders[i - 4]), "x by hand",
                 limit{limit::side::at_most, i % 2 == 0 ? 5.2 : 4.2, limit::subject::value}});
    }
    if (!right) out.note("WRONG: the sum after a step");
    return right;
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    report out("gpu_coupled_odes", gpu_is_there() ? gpu_name() : std::string("no GPU"), given);
    if (!gpu_is_there()) {
        out.note("not measured: no GPU here");
        return out.finish();
    }
    std::optional<gpu_stream> own;
    if (given.text("--stream", "own") == "own") own.emplace();
    const bool right =
        measure(out, own ? own->handle() : nullptr, given.number("--edge", 512),
                static_cast<int>(given.number("--steps", 100)), static_cast<int>(given.number("--rounds", 15)));
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_coupled_odes", trouble);
}
