// check_functions --sample           special values, every 20011th float, all exceptions and hard pairs, a few seconds
// check_functions --all [FUNCTION]... every float and 10^9 pairs, on all cores: four minutes of 28
// check_functions --hash [FUNCTION]...  every float, by its hash in hashes.txt, where --all found it: a third of the time
// Each float32 function, as a loop of each instruction set that this machine has, against the float nearest to the true
// result; and of every 16-bit float what becomes of that result before it is rounded again. Prints a line per function and instruction
// set, with a hash of all arguments and results, and what is wrong; generators/from_check.py takes that into exceptions.txt and
// rounded_twice.txt. Fails if something is wrong.
#include "functions.hpp"
#include "hashes.hpp"
#include "tried_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct instruction_set {
    const char* name;
    const loop_set* loops;
};

std::vector<instruction_set> instruction_sets() {
    std::vector<instruction_set> all = {{"sse2", &loops_sse2}};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back({"avx2", &loops_avx2});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd"))
        all.push_back({"avx512", &loops_avx512});
    return all;
}

/// The same on CUDA: hash_functions.cu.
unsigned bits_of_result(float y) { return y != y ? 0x7fc00000u : bits(y); }

struct outcome {
    std::uint64_t count = 0, wrong = 0, hash = 0, right_hash = 0;
    void operator+=(const outcome& other) {
        count += other.count;
        wrong += other.wrong;
        hash += other.hash;
        right_hash += other.right_hash;
    }
};

const std::string exceptions_file = std::string(KILN_TEST_FOLDER) + "/exceptions.txt";
const std::string hashes_file = std::string(KILN_TEST_FOLDER) + "/hashes.txt";
std::mutex printing;
constexpr std::uint64_t most_listed = 1000;
std::atomic<std::uint64_t> listed = 0;

/// Runs the loops over `arguments`; adds to `of`, one for each instruction set.
void check(int function, const std::vector<instruction_set>& sets, const std::vector<float>& arguments, outcome* of) {
    const function_facts& what = facts[function];
    const std::size_t count = arguments.size();
    static thread_local std::vector<float> good, got;
    good.resize(count);
    got.resize(count);
    for (std::size_t i = 0; i < count; ++i) good[i] = nearest(what, arguments[i]);
    std::uint64_t good_hash = 0;
    for (std::size_t i = 0; i < count; ++i) good_hash += mixed(bits(arguments[i]), bits_of_result(good[i]));
    const int strips = strips_of(function);
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto compare = [&](const char* form) {
            std::uint64_t wrong = 0;
            for (std::size_t i = 0; i < count; ++i) wrong += bits_of_result(got[i]) != bits_of_result(good[i]);
            if (wrong != 0 && listed.fetch_add(wrong) < most_listed) {
                const std::lock_guard lock(printing);
                for (std::size_t i = 0; i < count; ++i)
                    if (bits_of_result(got[i]) != bits_of_result(good[i]))
                        std::printf("wrong: %s %s%s %s is %s, not %s\n", what.name, sets[s].name, form,
                                    hexadecimal(arguments[i]).c_str(), hexadecimal(good[i]).c_str(),
                                    hexadecimal(got[i]).c_str());
            }
            of[s].wrong += wrong;
            return wrong;
        };
        if (strips < strip_function_count) {
            sets[s].loops->in_strips[strips](arguments.data(), got.data(), static_cast<std::ptrdiff_t>(count));
            compare(" strips");
        }
        sets[s].loops->functions[function](arguments.data(), got.data(), static_cast<std::ptrdiff_t>(count));
        std::uint64_t hash = good_hash;
        if (compare("") != 0) {
            hash = 0;
            for (std::size_t i = 0; i < count; ++i) hash += mixed(bits(arguments[i]), bits_of_result(got[i]));
        }
        of[s].count += count;
        of[s].hash += hash;
        of[s].right_hash += good_hash;
    }
}

/// `work(thread's outcomes, task)` for each task, on all cores.
template <class Work>
std::vector<outcome> on_all_cores(std::size_t sets, std::uint64_t tasks, Work work) {
    std::atomic<std::uint64_t> next = 0;
    std::vector<outcome> total(sets);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back([&] {
            std::vector<outcome> mine(sets);
            for (std::uint64_t task = next++; task < tasks; task = next++) work(mine.data(), task);
            const std::lock_guard lock(printing);
            for (std::size_t s = 0; s < sets; ++s) total[s] += mine[s];
        });
    for (std::thread& each : threads) each.join();
    return total;
}

bool report(const char* function, const std::vector<instruction_set>& sets, const std::vector<outcome>& of) {
    bool right = true;
    for (std::size_t s = 0; s < sets.size(); ++s) {
        std::printf("%-8s %-6s %10llu arguments, %llu wrong, hash %016llx, right %016llx\n", function, sets[s].name,
                    static_cast<unsigned long long>(of[s].count), static_cast<unsigned long long>(of[s].wrong),
                    static_cast<unsigned long long>(of[s].hash), static_cast<unsigned long long>(of[s].right_hash));
        right &= of[s].wrong == 0;
    }
    std::fflush(stdout);
    return right;
}

bool check_all(int function, const std::vector<instruction_set>& sets) {
    constexpr std::uint64_t block = 8192;
    return report(facts[function].name, sets,
                  on_all_cores(sets.size(), (std::uint64_t{1} << 32) / block, [&](outcome* of, std::uint64_t task) {
                      static thread_local std::vector<float> arguments(block);
                      for (std::uint64_t i = 0; i < block; ++i)
                          arguments[i] = float_with(static_cast<unsigned>(task * block + i));
                      check(function, sets, arguments, of);
                  }));
}

/// A 16-bit float: how many of float's bits it leaves out, and the exponent of its least normal number.
struct small_format {
    const char* name;
    unsigned places;
    int least_exponent;
    loop_of_pairs (loop_set::*set_right)[function_count];
};
constexpr small_format small_formats[] = {{"f16", 13, -14, &loop_set::for_f16},
                                          {"bf16", 16, -126, &loop_set::for_bf16}};

float small_float(const small_format& format, unsigned bits16) {
    if (format.places == 16) return float_with(bits16 << 16);
    const unsigned magnitude = bits16 & 0x7fffu;
    const float a = magnitude >= 0x7c00u  ? float_with(0x7f800000u | (magnitude & 0x3ffu) << 13)
                    : magnitude >= 0x400u ? float_with((magnitude << 13) + 0x38000000u)
                                          : static_cast<float>(magnitude) * 0x1p-24f;
    return bits16 & 0x8000u ? -a : a;
}

/// How many halves of the format's last place there are in |y|: an odd number of them lies midway between two of its numbers, the outer of
/// which is even where four go into it but for three.
double halves_below(const small_format& format, float y) {
    const int digits = 24 - static_cast<int>(format.places);
    const int exponent = std::max(std::ilogb(y), format.least_exponent);
    return std::ldexp(std::fabs(static_cast<double>(y)), digits - exponent);
}

/// Of each argument whose float is midway between two 16-bit floats, the one that it becomes must be on the true result's side of it, or be
/// itself where that is the even one's side; all other floats must stay as they are.
bool check_small(int function, const std::vector<instruction_set>& sets) {
    const function_facts& what = facts[function];
    bool right = true;
    for (const small_format& format : small_formats) {
        std::vector<float> arguments(0x10000), results(0x10000), made(0x10000);
        for (unsigned i = 0; i < arguments.size(); ++i) arguments[i] = small_float(format, i);
        sets[0].loops->functions[function](arguments.data(), results.data(), 0x10000);
        std::vector<std::vector<float>> of_sets;
        for (const instruction_set& set : sets) {
            const loop_of_pairs set_right = (set.loops->*format.set_right)[function];
            if (set_right) set_right(arguments.data(), results.data(), made.data(), 0x10000);
            of_sets.push_back(set_right ? made : results);
        }
        unsigned midway = 0;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const float y = results[i];
            float good = y;
            float also_good = y;  // whose next rounding is the same
            if (const double halves = y == 0 || !std::isfinite(y) ? 0 : halves_below(format, y);
                std::fmod(halves, 2) == 1) {
                ++midway;
                const int outwards = what.side(arguments[i], y) * (y < 0 ? -1 : 1);
                const bool even_is_outwards = std::fmod(halves, 4) == 3;
                also_good = float_with(bits(y) + static_cast<unsigned>(outwards));
                if (outwards == (even_is_outwards ? -1 : 1)) good = also_good;
            }
            for (std::size_t s = 0; s < sets.size(); ++s) {
                const unsigned got = bits_of_result(of_sets[s][i]);
                if (got == bits_of_result(good) || got == bits_of_result(also_good)) continue;
                right = false;
                std::printf("rounded twice: %s %s %s %s is to be %s, not %s\n", what.name, format.name, sets[s].name,
                            hexadecimal(arguments[i]).c_str(), hexadecimal(good).c_str(),
                            hexadecimal(of_sets[s][i]).c_str());
            }
        }
        std::printf("%-8s %-6s      65536 arguments, %u midway between two\n", what.name, format.name, midway);
    }
    return right;
}

/// Of hashes.txt; 0 where it has none.
std::uint64_t known_hash(const char* function) {
    unsigned long long found = 0, hash = 0;
    std::FILE* const file = std::fopen(hashes_file.c_str(), "r");
    if (file == nullptr) return 0;
    char line[200], name[40];
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::sscanf(line, "%39s %llx", name, &hash) == 2 && std::strcmp(name, function) == 0) found = hash;
    std::fclose(file);
    return found;
}

bool check_hash(int function, const std::vector<instruction_set>& sets) {
    constexpr std::uint64_t block = 8192;
    const std::uint64_t known = known_hash(facts[function].name);
    std::vector<outcome> total =
        on_all_cores(sets.size(), (std::uint64_t{1} << 32) / block, [&](outcome* of, std::uint64_t task) {
            static thread_local std::vector<float> arguments(block), got(block);
            for (std::uint64_t i = 0; i < block; ++i)
                arguments[i] = float_with(static_cast<unsigned>(task * block + i));
            for (std::size_t s = 0; s < sets.size(); ++s) {
                sets[s].loops->functions[function](arguments.data(), got.data(), block);
                for (std::uint64_t i = 0; i < block; ++i)
                    of[s].hash += mixed(bits(arguments[i]), bits_of_result(got[i]));
                of[s].count += block;
            }
        });
    for (outcome& each : total) {
        each.wrong = each.hash != known;  // how many, it does not know
        each.right_hash = known;
    }
    return report(facts[function].name, sets, total);
}

bool check_pair_hash(int function, const std::vector<instruction_set>& sets) {
    constexpr std::uint64_t block = 8192;
    const std::uint64_t known = known_hash(pairs[function].name);
    std::vector<outcome> total =
        on_all_cores(sets.size(), numbered_pairs / block, [&](outcome* of, std::uint64_t task) {
            static thread_local std::vector<float> a(block), b(block), got(block);
            for (std::uint64_t i = 0; i < block; ++i) {
                const pair_of_bits pair = numbered_pair(task * block + i);
                a[i] = float_with(pair.first);
                b[i] = float_with(pair.second);
            }
            for (std::size_t s = 0; s < sets.size(); ++s) {
                sets[s].loops->pairs[function](a.data(), b.data(), got.data(), block);
                for (std::uint64_t i = 0; i < block; ++i)
                    of[s].hash += mixed(static_cast<unsigned>(task * block + i), bits_of_result(got[i]));
                of[s].count += block;
            }
        });
    for (outcome& each : total) {
        each.wrong = each.hash != known;
        each.right_hash = known;
    }
    return report(pairs[function].name, sets, total);
}

/// Of each kind of edge the floats around it, both signs.
std::vector<float> special_values() {
    std::vector<float> all;
    const auto around = [&all](float a) {
        for (int i = -8; i <= 8; ++i)
            for (const unsigned sign : {0u, 0x80000000u})
                all.push_back(float_with((bits(a) + static_cast<unsigned>(i)) ^ sign));
    };
    for (unsigned exponent = 0; exponent < 256; ++exponent)
        for (const unsigned fraction : {0u, 0x400000u, 0x200000u, 0x3504f3u})
            around(float_with(exponent << 23 | fraction));
    for (const float a : {104.0f, 89.0f, 88.72284f,  103.97208f,  87.336544f, 149.0f,     151.0f,   128.0f,
                          126.0f, 20.0f, 9.01f,      90.0f,       14.5f,      14.17f,     10.1f,    10.05f,
                          4.0f,   3.83f, 2.4142135f, 0.41421357f, 1.5707964f, 3.1415927f, 262144.0f})
        around(a);
    return all;
}

/// The arguments of exceptions.txt that are this function's, and their negatives.
std::vector<float> exceptions(const char* function) {
    std::vector<float> all;
    std::FILE* const file = std::fopen(exceptions_file.c_str(), "r");
    if (file == nullptr) return all;
    char line[200], name[40];
    double argument;
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::sscanf(line, "%39s %la", name, &argument) == 2 && std::strcmp(name, function) == 0)
            for (const double sign : {1.0, -1.0}) all.push_back(static_cast<float>(sign * argument));
    std::fclose(file);
    return all;
}

bool check_sample(int function, const std::vector<instruction_set>& sets) {
    std::vector<outcome> of(sets.size());
    std::vector<float> arguments = special_values();
    for (const float a : exceptions(facts[function].name)) arguments.push_back(a);
    check(function, sets, arguments, of.data());
    for (std::uint64_t from = 0;
         from < std::uint64_t{1} << 32;) {  // in the order of bits, so that some strips have small ones only
        arguments.clear();
        for (; arguments.size() < 1023 && from < std::uint64_t{1} << 32; from += 20011)
            arguments.push_back(float_with(static_cast<unsigned>(from)));
        check(function, sets, arguments, of.data());
    }
    return report(facts[function].name, sets, of);
}

bool check_pairs(int function, const std::vector<instruction_set>& sets, std::uint64_t count) {
    constexpr std::size_t block = 20480;
    return report(pairs[function].name, sets,
                  on_all_cores(sets.size(), 1 + (count + block - 1) / block, [&](outcome* of, std::uint64_t task) {
                      static thread_local std::vector<float> a, b, good, got;
                      a.clear(), b.clear();
                      if (task == 0) fill_special_pairs(function, a, b);
                      else a.resize(block), b.resize(block), fill_pairs(function, task, a, b);
                      got.resize(a.size());
                      good.resize(a.size());
                      for (std::size_t i = 0; i < a.size(); ++i) good[i] = nearest(pairs[function], a[i], b[i]);
                      for (std::size_t s = 0; s < sets.size(); ++s) {
                          sets[s].loops->pairs[function](a.data(), b.data(), got.data(),
                                                         static_cast<std::ptrdiff_t>(a.size()));
                          for (std::size_t i = 0; i < a.size(); ++i) {
                              const unsigned pair = bits(a[i]) * 0x9e3779b1u ^ bits(b[i]);
                              ++of[s].count;
                              of[s].hash += mixed(pair, bits_of_result(got[i]));
                              of[s].right_hash += mixed(pair, bits_of_result(good[i]));
                              if (bits_of_result(got[i]) == bits_of_result(good[i])) continue;
                              ++of[s].wrong;
                              if (listed++ >= most_listed) continue;
                              const std::lock_guard lock(printing);
                              std::printf("wrong pair: %s %s (%s, %s) is %s, not %s\n", pairs[function].name,
                                          sets[s].name, hexadecimal(a[i]).c_str(), hexadecimal(b[i]).c_str(),
                                          hexadecimal(good[i]).c_str(), hexadecimal(got[i]).c_str());
                          }
                      }
                  }));
}

}  // namespace

int main(int count, char** words) {
    const std::string how = count > 1 ? words[1] : "";
    const std::vector<instruction_set> sets = instruction_sets();
    bool right = true;
    if (how == "--sample" || how == "--all" || how == "--hash") {
        const auto asked = [&](const char* name) {
            return count == 2 || std::any_of(words + 2, words + count,
                                             [&](const char* each) { return std::strcmp(each, name) == 0; });
        };
        for (int function = 0; function < function_count; ++function) {
            if (!asked(facts[function].name)) continue;
            right &= check_small(function, sets);
            if (how == "--all") right &= check_all(function, sets);
            else if (how == "--hash") right &= check_hash(function, sets);
            else right &= check_sample(function, sets);
        }
        for (int each = 0; each < pair_function_count; ++each) {
            if (!asked(pairs[each].name)) continue;
            if (how == "--all") right &= check_pairs(each, sets, 1'000'000'000);
            else if (how == "--hash") right &= check_pair_hash(each, sets);
            else right &= check_pairs(each, sets, 200'000);
        }
    } else {
        std::fprintf(stderr, "check_functions --sample [FUNCTION]... | --hash [FUNCTION]... | --all [FUNCTION]...\n");
        return 2;
    }
    return right ? 0 : 1;
}
