// kiln's side of tests/bench/peers: computes the workloads that the script names, on the inputs that it describes, when
// it says so. Lines in, lines out, one for one: "ok ..." or "no REASON".
//
//     device                                            ok its name
//     input DTYPE SHAPE STEP START CYCLE LOW SCALE      one more; description.py says what elements they are
//     workload NAME                                     kiln's program for it, on these inputs
//     option fma|fast_math NAME                         the same with that option, as another program
//     by_hand NAME                                      a hand-written kernel or loop for it, if there is one
//     copy BYTES                                        a copy that reads and writes so many together
//     time WHO COUNT                                    ok microseconds a call of kiln, option, by_hand or copy
//     predict WHO                                       ok microseconds of its kernels, predicted and measured
//     outputs WHO                                       ok DTYPE SHAPE; DTYPE SHAPE ...
//     result WHO OUTPUT AXIS BEGIN END FILE             doubles into a file
//     mean WHO OUTPUT                                   ok the mean of its magnitudes
//     drop                                              inputs and programs go
#include "by_hand.hpp"
#include "kiln_side.hpp"

#include <support.hpp>

#include <chrono>
#include <cmath>
#include <complex>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

namespace k = kiln;
using namespace kiln::bench;

struct description {
    std::string dtype;
    k::shape extents;
    std::int64_t step = 0;
    std::int64_t start = 0;
    std::int64_t cycle = 0;
    double low = 0;
    double scale = 0;
};

k::shape shape_of_text(const std::string& text) {
    std::vector<std::int64_t> extents;
    std::istringstream in(text);
    for (std::string each; std::getline(in, each, ',');) extents.push_back(std::stoll(each));
    return extents;
}

description read_description(std::istream& in) {
    description out;
    std::string extents;
    std::string low;  // as text: stod throws where a stream would read a part of it
    std::string scale;
    if (!(in >> out.dtype >> extents >> out.step >> out.start >> out.cycle >> low >> scale))
        throw std::runtime_error("an input has 7 words");
    out.extents = shape_of_text(extents);
    out.low = std::stod(low);
    out.scale = std::stod(scale);
    return out;
}

/// Element i, before its type rounds it; `turn` goes before the start: the imaginary part is the real one, a third of a
/// cycle further.
float value(const description& of, std::int64_t i, std::int64_t turn = 0) {
    const std::int64_t position = (i * of.step + of.start + turn) % of.cycle;
    return static_cast<float>(of.low + static_cast<double>(position) * of.scale);
}

template <class T>
k::array<T> make(const description& of) {
    // Elements repeat after a cycle: only so many are made here, the rest on the device.
    const std::int64_t size = of.extents.size();
    const std::int64_t length = std::min(of.cycle, size);
    std::vector<T> some(static_cast<std::size_t>(length));
    for (std::int64_t i = 0; i < length; ++i) {
        if constexpr (std::same_as<T, std::complex<float>>)
            some[static_cast<std::size_t>(i)] = {value(of, i), value(of, i, of.cycle / 3)};
        else some[static_cast<std::size_t>(i)] = static_cast<T>(value(of, i));
    }
    const k::array<T> cycle = k::from_host<T>(some);
    if (length == size) return k::reshape(cycle, of.extents);
    return k::reshape(k::take(cycle, k::arange<std::int64_t>(size) % length, k::axis(0)), of.extents);
}

void add_input(inputs& to, const description& of) {
    if (of.dtype == "float32") to.add(make<float>(of));
    else if (of.dtype == "float64") to.add(make<double>(of));
    else if (of.dtype == "float16") to.add(make<k::float16>(of));
    else if (of.dtype == "bfloat16") to.add(make<k::bfloat16>(of));
    else if (of.dtype == "uint8") to.add(make<std::uint8_t>(of));
    else if (of.dtype == "int64") to.add(make<std::int64_t>(of));
    else if (of.dtype == "complex64") to.add(make<std::complex<float>>(of));
    else throw std::runtime_error("no inputs of " + of.dtype);
}

program find(const std::string& name, const inputs& on) {
    for (const workload_list* list :
         {&elementwise_workloads(), &model_workloads(), &image_workloads(), &reduction_workloads()})
        for (const named_workload& each : *list)
            if (each.name == name) return each.make(on);
    throw std::runtime_error("no workload " + name);
}

program with_option(const std::string& name, program of) {
    k::options wanted;
    if (name == "fma") wanted.fma = true;
    else if (name == "fast_math") wanted.fast_math = true;
    else throw std::runtime_error("no option " + name);
    of.run = [run = std::move(of.run), wanted] {
        const k::scoped_options on(wanted);
        run();
    };
    return of;
}

class session {
public:
    std::string answer(const std::string& line) {
        std::istringstream in(line);
        std::string verb;
        in >> verb;
        if (verb == "device") {
            const k::device_info device = k::current_device().describe();
            return k::current_device().is_cuda() ? device.name + ", " + device.target
                                                 : processor() + (device.compiles ? "" : ", interpreted");
        }
        if (verb == "input") return add_input(inputs_, read_description(in)), std::string();
        if (verb == "drop") return programs_.clear(), inputs_.clear(), std::string();
        if (verb == "workload") return programs_["kiln"] = find(word(in), inputs_), std::string();
        if (verb == "option") {
            const std::string name = word(in);
            return programs_["option"] = with_option(name, find(word(in), inputs_)), std::string();
        }
        if (verb == "by_hand") {
            hand_written made = find_hand_written(word(in), inputs_);
            programs_["by_hand"] = std::move(made.how);
            return made.what;
        }
        if (verb == "copy") return programs_["copy"] = copy_program(std::stoll(word(in))), std::string();
        const program& who = programs_.at(word(in));
        if (verb == "time") return time(who, std::stoi(word(in)));
        if (verb == "predict") return predict(who);
        if (verb == "outputs") {
            std::string out;
            for (const output& each : who.outputs) out += (out.empty() ? "" : "; ") + each.describe();
            return out;
        }
        const output& which = who.outputs.at(std::stoul(word(in)));
        if (verb == "mean") return k::text::format("{:.17g}", which.mean());
        if (verb == "result") {
            const int axis = std::stoi(word(in));
            const std::int64_t begin = std::stoll(word(in));
            const std::vector<double> elements = which.read(axis, begin, std::stoll(word(in)));
            std::ofstream file(word(in), std::ios::binary);
            file.write(reinterpret_cast<const char*>(elements.data()),
                       static_cast<std::streamsize>(elements.size() * sizeof(double)));
            if (!file.flush()) throw std::runtime_error("cannot write the result");
            return {};
        }
        throw std::runtime_error("no verb " + verb);
    }

private:
    static std::string word(std::istream& in) {
        std::string out;
        if (!(in >> out)) throw std::runtime_error("a word is missing");
        return out;
    }

    static std::string time(const program& who, int count) {
        k::synchronize();
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) who.run();
        k::synchronize();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
        return k::text::format("{:.4f}", took.count() / count);
    }

    /// What explain() says its kernels take, and what a profile saw: operands from memory, as where contenders take turns.
    static std::string predict(const program& who) {
        static_cast<void>(k::measure(k::current_device()));
        double predicted_ns = 0;
        std::vector<double> measured_ns;
        for (int i = 0; i < 5; ++i) {
            {
                const k::array<float> more = k::zeros<float>({k::current_device().is_cuda() ? 1 << 26 : 1 << 24});
                static_cast<void>(k::max(more).item());
            }
            const k::profile seen(k::profile_scope::this_thread);
            who.run();
            predicted_ns = 0;
            double ns = 0;
            for (const k::profile_event& each : seen.events()) {
                if (each.what != k::profiled::kernel) continue;
                predicted_ns += each.predicted.ns;
                ns += static_cast<double>(each.run_ns);
            }
            measured_ns.push_back(ns);
        }
        return k::text::format("{:.3f} {:.3f}", predicted_ns * 1e-3, summarize(measured_ns).median * 1e-3);
    }

    inputs inputs_;
    std::map<std::string, program> programs_;
};

}  // namespace

int main() {
    session here;
    for (std::string line; std::getline(std::cin, line);) {
        std::string out;
        try {
            out = here.answer(line);
            out = out.empty() ? "ok" : "ok " + out;
        } catch (const std::exception& trouble) {
            out = "no " + std::string(trouble.what());
            for (char& each : out)
                if (each == '\n') each = ' ';
        }
        std::cout << out << std::endl;  // flushed: the script waits for it
    }
}
