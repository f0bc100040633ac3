// kiln/compile/host_compiler: which compiler, with which options and environment, and what becomes of what it does.
#include <compile/host_compiler.hpp>

#include <compile/compiler_failure.hpp>
#include <compile/compiler_identity.hpp>
#include <compile/compiler_log.hpp>
#include <compile/elf_check.hpp>
#include <compile/elf_image.hpp>
#include <compile/host_cpu.hpp>
#include <compile/includes.hpp>
#include <compile/linked_object.hpp>
#include <compile/program.hpp>
#include <compile/subprocess.hpp>
#include <compile/system.hpp>
#include <compile/work_folder.hpp>
#include <kiln/error.hpp>

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>
#include <process/messages.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

extern char** environ;

namespace kiln::compile {

namespace trust = jit_cache::trust;

namespace {

// Nothing here may change a bit (those of `arithmetic` apart): -fno-fast-math comes first because some compilers have it
// on by default, and the two -fno- options after it drop only errno and the floating-point exception flags, without which
// loops do not vectorise.
constexpr const char* fixed_options[] = {
    "-x",
    "c++",
    "-std=c++17",
    "-O3",
#if defined(__x86_64__)
    "-march=native",
    // Of 512 bits, every load that does not begin on a cache line reads two: a stencil of rows of 1000 took 17 % longer. Where steps are
    // many, it is worth it (options_of_widest_vectors).
    "-mprefer-vector-width=256",
#else
    "-mcpu=native",
#endif
    "-fno-fast-math",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-fno-exceptions",  // a call of a library function that might throw stays in its loop
    "-fPIC",
    "-fvisibility=default",
    "-Werror=return-type",  // a way out of a user's function without a value
    "-Werror=date-time",    // __TIME__: no key holds the time
    "-pipe",
    "-nostdlib",
    // A kernel includes nothing; without these, g++ includes a <stdc-predef.h> unasked, from wherever CPATH says.
    "-nostdinc",
    "-nostdinc++",
};
// And what each arithmetic is. The fast one is -ffast-math less what it does to NaN, infinity and denormals:
// -ffinite-math-only would drop the tests of where(), min() and isnan(), and linking with -ffast-math itself would make
// denormals 0 for the whole process.
constexpr const char* exact_options[] = {"-ffp-contract=off"};
constexpr const char* contracted_options[] = {"-ffp-contract=fast"};
constexpr const char* fast_options[] = {"-ffp-contract=fast", "-fno-signed-zeros", "-freciprocal-math",
                                        "-fassociative-math"};
// Of a body of hundreds of steps g++ 12 takes seconds to find registers its usual way: 112 choices one in the other, each by a
// number of its own, took 3.9 s of a core, and this way 0.6.
constexpr int most_usual_steps = 128;
// And a loop over two or four vectors of them is written out, so that the steps of one come between those of another
// (plan::weaves_chains): 200 instructions are its usual limit.
constexpr const char* options_of_long_bodies[] = {"-fira-algorithm=priority",
                                                  "--param=max-completely-peeled-insns=1000"};
// Of plan::loop_vectors. Mandelbrot's set takes 0.7 of the time by the widest, and 0.85 of that where its steps are scheduled (EPYC, Zen 4,
// 2026-11), which takes a thirtieth of the compiler's time.
#if defined(__x86_64__)
constexpr std::string_view options_of_widest_vectors[] = {"-mprefer-vector-width=512"};
constexpr std::string_view options_of_scheduled_steps[] = {"-fschedule-insns"};
#else
constexpr std::array<std::string_view, 0> options_of_widest_vectors = {};  // they are what is there anyway
constexpr std::array<std::string_view, 0> options_of_scheduled_steps = {};
#endif
// What g++ 12 needs to make of a walk (emit::source) what -O3 makes of it, in less time (x + x + x + x + x: 41 ms of a busy core
// instead of 50, softmax of rows 112 instead of 158; EPYC, AVX2, 2026-11). Each of them is there for a kernel that was slower without it: a
// stencil, a softmax, a chain of woven lines, a slice whose step is 1 after all, an integer division, random numbers. Tiles of contractions want
// more: squared distances took 1.4 times as long.
constexpr const char* options_of_walks[] = {
    "-O1", "-ftree-vectorize", "-fvect-cost-model=dynamic", "-fstrict-aliasing", "-ftree-pre", "-ftree-vrp", "-fgcse",
    "-fpeel-loops", "-fpredictive-commoning", "-funswitch-loops", "-fversion-loops-for-strides",
    "--param=max-inline-insns-single=200",
    // Written out are the vectors of a line (two, or eight where chains are woven); not what is left
    // of vectors of bytes and of lanes, which was up to a third of the code, and of the time.
    "--param=max-completely-peel-times=8",
    // As -O2 does, and further: a loop of two vectors' instructions that lies across lines of code took up to
    // 6 % longer, by what stood before it in the text (rows of 700 to 100000 floats, EPYC, Zen 4, 2026-11).
    "-falign-loops=32",
    // Passes that find nothing in such texts: all of them together a fiftieth of the time.
    "-fno-stdarg-opt", "-fno-tree-phiprop", "-fno-ssa-backprop", "-fno-tree-scev-cprop", "-fno-tree-bit-ccp",
    "-fno-ipa-profile", "-fno-ipa-reference", "-fno-ipa-modref", "-fno-ipa-pure-const", "-fno-tree-builtin-call-dce",
    "-fno-split-wide-types"};
// Where a step has no vectors, its loop has none, and looking for them was a third of the time.
constexpr const char* options_of_dividing_walks[] = {"-fno-tree-vectorize"};
// Fewer still of some (plan::loop_kind), in a fifth less time; with other elements each of these was missed somewhere (EPYC, Zen 5, 2026-11).
// Without jump threading, which dominator-opts do, too, divisions of integers took twice as long; without gcse positions 1.2 times, without
// the vectors of straight code (slp) functions of complex numbers 1.1 times, without vrp reductions by a user's function 1.3 times.
// And pre hoists what is chosen by out of a min of a max, which then has no vectors: they take a third of the time without it.
constexpr const char* options_of_float_walks[] = {"-fno-tree-vrp",     "-fno-tree-pre",
                                                  "-fno-gcse",         "-fno-tree-dominator-opts",
                                                  "-fno-thread-jumps", "-fno-tree-slp-vectorize"};
// Rows that stay in a cache are as fast with registers chosen for a function as a whole, and with no loop of more than two rounds written
// out: a layer norm takes 0.78 of the time. Transposes took 1.5 times as long.
constexpr const char* options_of_float_rows[] = {"-fira-region=one", "--param=max-completely-peel-times=1"};
// And, where the widest vectors do not pay, without AVX-512, which g++ 12 takes 10 of 270 million instructions to get ready for, and more for each loop. Halves, integers and
// polynomials miss it: conversions of 64-bit integers took 2.2 times as long.
#if defined(__x86_64__)
constexpr std::string_view options_of_wide_float_rows[] = {"-mno-avx512f"};
#else
constexpr std::array<std::string_view, 0> options_of_wide_float_rows = {};
#endif
// Where vectors are named in the text, none are to be found: a blend of bytes takes 35 ms of a core for 45 (EPYC, g++ 12, 2026-11).
constexpr const char* options_of_named_vectors[] = {
    "-fno-tree-vectorize",       "-fno-tree-vrp",           "-fno-tree-pre", "-fno-gcse",
    "-fno-predictive-commoning", "-fno-tree-dominator-opts"};
// What links: a kernel needs libm at most, and the libraries of C and C++ would take the linker 8 of 45 ms.
constexpr const char* link_options[] = {"-shared"};
// After the source, where the linker wants its libraries.
constexpr const char* libraries[] = {"-lm"};

constexpr const char* source_name = "kernel.cpp";
constexpr const char* object_name = "kernel.o";
constexpr const char* linked_name = "kernel.so";
constexpr const char* read_name = "kernel.d";          // what the compiler has read
constexpr const char* assembled_name = "kernel.as.d";  // what the assembler has read
constexpr const char* list_assembled = "-Wa,--MD,kernel.as.d";

constexpr int usual_time_limit_s = 60;
constexpr int longest_time_limit_s = 1'000'000;
constexpr int longest_answer_s = 10;
constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;  // bytes
constexpr std::size_t largest_list = std::size_t{1} << 20;        // bytes

std::vector<std::string> options_of(arithmetic how) {
    std::vector<std::string> all(std::begin(fixed_options), std::end(fixed_options));
    const auto add = [&all](const auto& more) { all.insert(all.end(), std::begin(more), std::end(more)); };
    switch (how) {
        case arithmetic::exact: add(exact_options); break;
        case arithmetic::contracted: add(contracted_options); break;
        case arithmetic::fast: add(fast_options); break;
    }
    return all;
}

void add_vectors_of(const emit::source& kernel, std::vector<std::string>& options) {
    using plan::loop_vectors;
    const auto add = [&options](const auto& more) { options.insert(options.end(), std::begin(more), std::end(more)); };
    if (kernel.vectors != loop_vectors::usual) add(options_of_widest_vectors);
    if (kernel.vectors == loop_vectors::widest_scheduled) add(options_of_scheduled_steps);
}

void add_passes_of(const emit::source& kernel, std::vector<std::string>& options) {
    using plan::loop_kind;
    const loop_kind loops = kernel.loops;
    const auto add = [&options](const auto& more) { options.insert(options.end(), std::begin(more), std::end(more)); };
    if (loops != loop_kind::any) add(options_of_walks);
    if (loops == loop_kind::dividing) add(options_of_dividing_walks);
    const bool has_rows = loops == loop_kind::float_rows || loops == loop_kind::wide_float_rows;
    if (loops == loop_kind::float_walk || has_rows) add(options_of_float_walks);
    if (has_rows) add(options_of_float_rows);
    if (loops == loop_kind::wide_float_rows && kernel.vectors == plan::loop_vectors::usual)
        add(options_of_wide_float_rows);
    if (loops == loop_kind::named_vectors) add(options_of_named_vectors);
}

/// The words of a command: the whole value where that is a program ("/opt/my compiler/g++").
std::vector<std::string> words_of_command(const std::string& value) {
    if (value.find('/') != std::string::npos && !find_program(value).empty()) return {value};
    return shell_words(value);
}

int time_limit_from_environment() {
    const std::string text = trust::environment("KILN_COMPILE_TIMEOUT");
    if (text.empty()) return usual_time_limit_s;
    int seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [last, trouble] = std::from_chars(text.data(), end, seconds);
    if (trouble == std::errc{} && last == end && seconds >= 1 && seconds <= longest_time_limit_s) return seconds;
    process::warn("KILN_COMPILE_TIMEOUT=" + text + " is no number of seconds from 1 to " +
                  std::to_string(longest_time_limit_s) + "; compilers have " + std::to_string(usual_time_limit_s) +
                  " s");
    return usual_time_limit_s;
}

/// What a compiler needs to run at all, and what compiler caches and distributors are set up by. Nothing else reaches it:
/// CPATH, LIBRARY_PATH, GCC_EXEC_PREFIX, CCC_OVERRIDE_OPTIONS, LD_PRELOAD and their like would change a kernel behind its
/// key's back.
bool reaches_compiler(std::string_view entry) {
    constexpr std::string_view names[] = {"HOME=", "USER=", "LOGNAME=", "LD_LIBRARY_PATH="};
    constexpr std::string_view families[] = {"CCACHE_", "SCCACHE_", "DISTCC_", "ICECC_"};
    const auto begins = [entry](std::string_view with) { return entry.starts_with(with); };
    return std::any_of(std::begin(names), std::end(names), begins) ||
           std::any_of(std::begin(families), std::end(families), begins);
}

/// Tells a file from another that took its place, without reading it.
std::string stamps_of(const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& each : files) {
        struct ::stat status {};
        if (::stat(each.c_str(), &status) != 0) continue;
        for (const long long part :
             {static_cast<long long>(status.st_dev), static_cast<long long>(status.st_ino),
              static_cast<long long>(status.st_size), static_cast<long long>(status.st_mtim.tv_sec),
              static_cast<long long>(status.st_mtim.tv_nsec)})
            text += std::to_string(part) + ' ';
        text += each + '\n';
    }
    return text;
}

/// The folder's name says nothing to anybody, and would make every log a new text.
std::string without_folder(std::string log, const std::string& folder) {
    const std::string prefix = folder + "/";
    for (std::size_t at = log.find(prefix); at != std::string::npos; at = log.find(prefix, at))
        log.erase(at, prefix.size());
    return log;
}

bool says_no_room(const std::string& log) {
    return log.find("No space left on device") != std::string::npos ||
           log.find("Disk quota exceeded") != std::string::npos;
}

}  // namespace

struct host_toolchain::asked {
    compiler_identity known;
    std::string stamps;     // of its files
    asked* next = nullptr;  // in `earlier_`
};

/// What one start of the compiler came to.
struct host_toolchain::attempt {
    std::string object;    // its bytes, if all went well
    std::string rejected;  // what is wrong with the source
    std::string failed;    // or with the compiler
    std::string log;
    bool in_time = true;
    bool is_for_now = false;  // the failure
    bool wants_room = false;  // elsewhere it may go better
};

std::unique_ptr<host_toolchain> host_toolchain::find() {
    const auto none = [] { return std::unique_ptr<host_toolchain>(new host_toolchain({}, {})); };
    if (trust::has_raised_privileges()) return none();
    const std::string own = trust::environment("KILN_CXX");
    std::vector<std::vector<std::string>> candidates;
    if (!own.empty()) {
        candidates.push_back(words_of_command(own));
    } else {
        candidates.push_back(words_of_command(trust::environment("CXX")));
        for (const char* name : {"c++", "g++", "clang++"}) candidates.push_back({name});
    }
    for (std::vector<std::string>& words : candidates) {
        if (words.empty()) continue;
        program_search found = find_trusted_program(words.front(), own.empty() ? named::in_general : named::for_kiln);
        for (const std::string& each : found.refused) process::warn(each);
        if (found.path.empty()) continue;
        words.erase(words.begin());
        return std::unique_ptr<host_toolchain>(new host_toolchain(std::move(found.path), std::move(words)));
    }
    return none();
}

std::string host_toolchain::what_was_looked_for() {
    if (trust::has_raised_privileges())
        return "none, because this process has rights that its caller has not (set-user-ID or the like)";
    const std::string path = trust::environment("PATH");
    const std::string in_path = " in PATH=" + (path.empty() ? "(not set)" : path);
    if (const std::string own = trust::environment("KILN_CXX"); !own.empty()) {
        const std::vector<std::string> words = words_of_command(own);
        const bool is_path = !words.empty() && words.front().find('/') != std::string::npos;
        if (!is_path) return "KILN_CXX=" + own + in_path;
        const bool exists = ::access(own.c_str(), F_OK) == 0 || ::access(words.front().c_str(), F_OK) == 0;
        return "KILN_CXX=" + own + (exists ? ", which is no program that may be started" : ", which is not there");
    }
    const std::string usual = trust::environment("CXX");
    return (usual.empty() ? "" : "CXX=" + usual + ", ") + "c++, g++, clang++" + in_path;
}

host_toolchain::host_toolchain(std::string program, std::vector<std::string> leading_arguments)
    : program_(std::move(program)),
      leading_arguments_(std::move(leading_arguments)),
      search_path_(trusted_search_path()),
      time_limit_s_(time_limit_from_environment()) {
    for (const arithmetic how : {arithmetic::exact, arithmetic::contracted, arithmetic::fast}) {
        std::string& line = options_[static_cast<int>(how)];
        const auto first_option = std::find_if(leading_arguments_.begin(), leading_arguments_.end(),
                                               [](const std::string& each) { return each.starts_with('-'); });
        for (auto each = first_option; each != leading_arguments_.end(); ++each) line += *each + ' ';
        for (const std::string& each : options_of(how)) line += each + ' ';
        for (const char* each : link_options) line += std::string(each) + ' ';
        for (const char* each : libraries) line += std::string(each) + ' ';
        const auto list = [&line](const char* name, const auto& options) {
            line += name;
            for (const std::string_view each : options) line.append(" ").append(each);
        };
        list("(long:", options_of_long_bodies);
        list(") (widest:", options_of_widest_vectors);
        list(") (scheduled:", options_of_scheduled_steps);
        // Exact ones alone; but what tells two arithmetics apart is what people ask.
        list(") (walks:", options_of_walks);
        list("; dividing:", options_of_dividing_walks);
        list("; floats:", options_of_float_walks);
        list("; rows:", options_of_float_rows);
        list("; wide:", options_of_wide_float_rows);
        list("; named vectors:", options_of_named_vectors);
        line += ")";
    }
}

host_toolchain::~host_toolchain() {
    delete identity_.load();
    for (asked* each = earlier_.load(); each;) delete std::exchange(each, each->next);
}

const std::string& host_toolchain::target() const { return this_host_cpu().target; }

const std::string& host_toolchain::fingerprint() const { return identity().known.fingerprint; }

process_options host_toolchain::options_in(const work_folder& folder, int seconds) const {
    process_options options;
    options.folder = folder.path();
    options.limits.seconds = seconds;
    options.limits.file_bytes = largest_file;
    // Its words stay English, for they are read, and its own temporary files go into the folder, too.
    options.environment = {"LC_ALL=C", "TMPDIR=" + folder.path(), "PATH=" + search_path_};
    for (char** entry = environ; entry && *entry; ++entry)
        if (reaches_compiler(*entry)) options.environment.emplace_back(*entry);
    return options;
}

std::vector<std::string> host_toolchain::command(const std::vector<std::string>& options,
                                                 std::initializer_list<const char*> files) const {
    std::vector<std::string> words{program_};
    words.insert(words.end(), leading_arguments_.begin(), leading_arguments_.end());
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), files.begin(), files.end());
    return words;
}

std::vector<std::string> host_toolchain::linking_command(std::vector<std::string> options, const char* from) const {
    options.insert(options.end(), std::begin(link_options), std::end(link_options));
    std::vector<std::string> words = command(options, {"-o", linked_name, from});
    words.insert(words.end(), std::begin(libraries), std::end(libraries));
    return words;
}

// --- Which compiler it is --------------------------------------------------------------------------------------------------

// No lock is held while it is asked, so that a child of fork() is not left waiting; two threads may ask at once, and the
// first answer stays.
const host_toolchain::asked& host_toolchain::identity() const {
    if (const asked* const known = identity_.load(std::memory_order_acquire)) return *known;
    std::unique_ptr<asked> made = ask();
    asked* known = nullptr;
    if (identity_.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *known;
}

std::unique_ptr<host_toolchain::asked> host_toolchain::ask() const {
    auto made = std::make_unique<asked>();
    if (!is_there()) {
        made->known.fingerprint = "no C++ compiler";
        return made;
    }
    work_folder::trouble met;
    work_folder folder(met);
    while (!folder.path().empty() && !folder.write(source_name, "\n")) folder = work_folder(met, folder);
    try {
        if (met.is_for_now) throw std::system_error(EMFILE, std::generic_category(), met.why);
        made->known =
            identify_compiler(linking_command(options_of(arithmetic::exact), source_name), leading_arguments_.size(),
                              options_in(folder, std::min(time_limit_s_, longest_answer_s)));
    } catch (const std::system_error& trouble) {
        // Not remembered: what it is without an answer is not what it is.
        throw compiler_failure(
            jit_cache::printable(program_ + " cannot be asked which compiler it is: " + trouble.what()),
            lasting::for_now, {}, {}, {});
    }
    made->stamps = stamps_of(made->known.files);
    return made;
}

/// An upgrade may come while the program runs. The kernel at hand has the key of the compiler that was there before, so it
/// must not be made by the new one; the next kernel's key is asked for anew.
void host_toolchain::require_same_compiler(const asked& known, const emit::source& kernel) const {
    if (stamps_of(known.known.files) == known.stamps) return;
    asked* replaced = const_cast<asked*>(&known);
    if (identity_.compare_exchange_strong(replaced, nullptr, std::memory_order_acq_rel)) {
        replaced->next = earlier_.load(std::memory_order_relaxed);
        while (!earlier_.compare_exchange_weak(replaced->next, replaced, std::memory_order_release,
                                               std::memory_order_relaxed)) {
        }
    }
    fail(kernel, "it was replaced while this program ran; the next kernel is compiled by the new one", {}, true);
}

// --- Compiling -------------------------------------------------------------------------------------------------------------

void host_toolchain::fail(const emit::source& kernel, const std::string& reason, std::string log,
                          bool is_for_now) const {
    throw compiler_failure(jit_cache::printable(program_ + ": " + reason),
                           is_for_now ? lasting::for_now : lasting::for_good, kernel.name + ": ",
                           number_lines(kernel.text), std::move(log));
}

binary host_toolchain::compile(const emit::source& kernel, arithmetic how) {
    const auto reject = [&](const std::string& why, std::string log) {
        throw compile_error(
            "kiln: compile: " + jit_cache::printable(program_) + " rejected " + kernel.name + ": " +
                jit_cache::printable(why) +
                "; source() of this compile_error has the kernel with numbered lines, log() all that was said" +
                advice_on_rejected(kernel),
            number_lines(kernel.text), std::move(log));
    };
    if (const std::string include = first_include(kernel.text); !include.empty())
        reject(undeclared_include(include), {});
    if (!is_there())
        throw compiler_failure("no C++ compiler found; looked for " + jit_cache::printable(what_was_looked_for()),
                               lasting::for_good, kernel.name + ": ", number_lines(kernel.text), {});
    const auto fail_by_time = [&] {
        fail(kernel,
             "it did not end within " + std::to_string(time_limit_s_) +
                 " s, and is not started again; KILN_COMPILE_TIMEOUT=<seconds> gives it more",
             {});
    };
    if (hangs_.load(std::memory_order_relaxed)) fail_by_time();
    const asked& known = identity();
    if (!known.known.failure.empty()) fail(kernel, known.known.failure + "; it is not started again", {});
    require_same_compiler(known, kernel);

    work_folder::trouble met;
    work_folder folder(met);
    for (bool again = false;; again = true) {
        if (folder.path().empty())
            fail(kernel, "there is no folder for its files (" + met.why + "); TMPDIR names one", {}, met.is_for_now);
        attempt made = compile_in(folder, kernel, how, known.known);
        if (made.wants_room && !again) {
            met = {folder.path() + ": " + made.failed, false};
            folder = work_folder(met, folder);
            continue;
        }
        if (!made.in_time) {
            hangs_.store(true, std::memory_order_relaxed);
            fail_by_time();
        }
        if (!made.rejected.empty()) reject(made.rejected, std::move(made.log));
        if (!made.failed.empty()) fail(kernel, made.failed, std::move(made.log), made.is_for_now);
        return {std::move(made.object), {}};
    }
}

host_toolchain::attempt host_toolchain::compile_in(const work_folder& folder, const emit::source& kernel,
                                                   arithmetic how, const compiler_identity& by) const {
    attempt made;
    if (!folder.write(source_name, kernel.text)) {
        const int error = errno;
        made.failed = "its source cannot be written: " + text_of(error);
        made.is_for_now = is_passing(error);
        made.wants_room = !made.is_for_now && error != EFBIG;  // that is the process's own limit, the same everywhere
        return made;
    }
    std::vector<std::string> options = options_of(how);
    const bool is_gcc = by.fingerprint.starts_with("g++ ");
    if (is_gcc && kernel.steps > most_usual_steps)
        options.insert(options.end(), std::begin(options_of_long_bodies), std::end(options_of_long_bodies));
    if (is_gcc) add_vectors_of(kernel, options);
    // Where more than rounding may change, so might it with the passes.
    if (is_gcc && how == arithmetic::exact) add_passes_of(kernel, options);
    for (const char* const each : {"-MD", "-MF", read_name, "-MT", "kernel"}) options.emplace_back(each);
    // What is assembled may name files, too (.incbin); only GNU's assembler says which.
    const bool assembles_text = kernel.text.find("asm") != std::string::npos;
    if (assembles_text && !by.has_assembler) options.emplace_back("-fno-integrated-as");
    if (assembles_text) options.emplace_back(list_assembled);

    const bool links_here = links_objects;
    if (links_here) options.emplace_back("-c");
    const std::vector<std::string> words =
        links_here ? command(options, {"-o", object_name, source_name}) : linking_command(options, source_name);
    if (succeeds(words, folder, kernel, made) &&
        read_object(folder, links_here ? object_name : linked_name, kernel, made) &&
        has_read_nothing_else(folder, assembles_text, made) && (!links_here || link(folder, kernel, how, made)))
        if (const std::string damage = why_not_loadable(made.object); !damage.empty())
            made.failed = "what it wrote cannot be loaded: " + damage;
    made.wants_room = !made.failed.empty() && made.in_time && (says_no_room(made.log) || folder.is_full());
    return made;
}

/// Whether the compiler says that all is well; otherwise `made` has what it says.
bool host_toolchain::succeeds(const std::vector<std::string>& words, const work_folder& folder,
                              const emit::source& kernel, attempt& made) const {
    process_result ran = run_process(words, options_in(folder, time_limit_s_));
    made.log += without_folder(std::move(ran.output), folder.path());
    made.in_time = ran.how != process_end::out_of_time;
    made.is_for_now = is_passing(ran.error);
    if (ran.exit_status == 0) return true;
    const complaint first = first_complaint(made.log, source_name, kernel.text);
    const std::string complaint_or_end = first.text.empty() ? ran.ended : first.text;
    (ran.how == process_end::exited && first.is_of_source ? made.rejected : made.failed) = complaint_or_end;
    return false;
}

/// What a compiler that says that all is well has left.
bool host_toolchain::read_object(const work_folder& folder, const char* name, const emit::source& kernel,
                                 attempt& made) const {
    switch (folder.read(name, largest_file, made.object)) {
        case work_folder::reading::done: return true;
        case work_folder::reading::missing: {
            const std::string said = first_complaint(made.log, source_name, kernel.text).text;
            made.failed = "it wrote no object" + (said.empty() ? said : " and said: " + said);
            break;
        }
        case work_folder::reading::too_large: made.failed = "it wrote more than 256 MB"; break;
        case work_folder::reading::failed:
            made.is_for_now = is_passing(errno);
            made.failed = "what it wrote cannot be read";
            break;
    }
    return false;
}

bool host_toolchain::has_read_nothing_else(const work_folder& folder, bool lists_assembler, attempt& made) {
    std::vector<const char*> lists = {read_name};
    if (lists_assembler) lists.push_back(assembled_name);
    for (const char* const each : lists) {
        std::string list;
        if (folder.read(each, largest_list, list) != work_folder::reading::done) {
            made.failed = "it does not say which files it has read (-MD)";
            return false;
        }
        if (const std::string file = first_file_outside(list, folder.path()); !file.empty()) {
            made.rejected = undeclared_include(file);
            return false;
        }
    }
    return true;
}

/// Here, or where more is to be done than that, by the compiler's own linker.
bool host_toolchain::link(const work_folder& folder, const emit::source& kernel, arithmetic how, attempt& made) const {
    try {
        if (std::optional<std::string> linked = link_object(made.object)) {
            made.object = std::move(*linked);
            return true;
        }
    } catch (const elf_damage& found) {
        made.failed = std::string("what it wrote cannot be linked: ") + found.what;
        return false;
    }
    std::vector<std::string> options = options_of(how);
    options.insert(options.end(), {"-x", "none"});  // what follows is what its name says
    return succeeds(linking_command(std::move(options), object_name), folder, kernel, made) &&
           read_object(folder, linked_name, kernel, made);
}

}  // namespace kiln::compile
