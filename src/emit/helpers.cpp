// Helpers are cut into pieces once; a kernel takes those that it mentions, from the last to the first, because a piece
// uses only pieces before it. Of overloads for float16 and complex numbers it takes those whose type it mentions, too:
// NVRTC takes half a ms to read the other quotient and to warn of it.
#include <emit/helpers.hpp>
#include <emit/library.hpp>
#include <process/immortal.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::emit {

namespace {

struct helper_file {
    std::string_view name;
    std::string_view text;
};

constexpr helper_file helper_files[] = {
#include <helper_text.def>
};

struct piece {
    std::string_view name;
    std::string_view raw;   // as it stands in its file
    std::string_view type;  // of an overload: which of `overloaded_types` it is for, if any; "std": in that namespace
    bool is_of_bits;        // of bits_cuda.inc or bits_host.inc
};

/// Types of helpers' own, by their names in kernels.
constexpr std::string_view overloaded_types[] = {"f16", "bf16", "c64", "c128"};

/// The last word of `text`.
std::string_view last_word(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && !is_word(text[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return text.substr(begin, end - begin);
}

constexpr std::string_view of_namespace_std = "namespace std {\n";

/// Of `struct name {`, `enum class name : ...`, `typedef ... name;`, `#define name`, `KILN_HELPER ... name(` and the other
/// markers.
std::string_view name_of(std::string_view text) {
    while (text.starts_with("#if")) text.remove_prefix(text.find('\n') + 1);
    if (text.starts_with(of_namespace_std)) text.remove_prefix(of_namespace_std.size());
    if (constexpr std::string_view define = "#define "; text.starts_with(define))
        return text.substr(define.size(), text.find_first_of("( \n", define.size()) - define.size());
    if (text.substr(0, 10) == "template <") text.remove_prefix(text.find('\n') + 1);
    if (text.substr(0, 7) == "typedef") return last_word(text);
    if (text.substr(0, 11) == "enum class ") return last_word(text.substr(0, text.find(':')));
    if (text.substr(0, 18) == "KILN_HELPER_TABLE ") return last_word(text.substr(0, text.find('[')));
    if (text.substr(0, 7) == "struct ") return last_word(text.substr(0, text.find('{')));
    return last_word(text.substr(0, text.find('(')));
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

void replace_markers(std::string& text, plan::frame frame, bool heavy) {
    const bool cuda = frame == plan::frame::cuda;
    // Static, so that an overload that nothing calls goes before it is compiled.
    const char* const called = cuda ? "static __device__ __noinline__" : "static inline";
    const char* const inlined = cuda ? "__device__ __forceinline__" : "static inline";
    replace_all(text, "KILN_RARE_HELPER", called);
    replace_all(text, "KILN_HEAVY_HELPER", heavy ? called : inlined);
    replace_all(text, "KILN_SMALL_HELPER", cuda ? inlined : "static inline __attribute__((always_inline))");
    replace_all(text, "KILN_HELPER_TABLE", cuda ? "static __device__ const" : "static const");
    replace_all(text, "KILN_HELPER", inlined);
    replace_all(text, "KILN_LIBRARY_PARAMETER ", cuda ? "" : "const void* const* library, ");
    replace_all(text, "KILN_LIBRARY ", cuda ? "" : "library, ");
}

/// A piece as it goes into a kernel: without comments, its markers replaced.
std::string finished(std::string_view raw, plan::frame frame, bool heavy) {
    std::string out;
    while (!raw.empty()) {
        const std::size_t end = std::min(raw.find('\n'), raw.size() - 1);
        const std::string_view line = raw.substr(0, end + 1);
        raw.remove_prefix(line.size());
        if (line.substr(0, 2) != "//") out += line;
    }
    replace_markers(out, frame, heavy);
    return out;
}

/// What stands between blank lines. A comment that stands alone is no piece.
void cut_into(std::vector<piece>& pieces, const helper_file& file) {
    std::string_view text = file.text;
    while (!text.empty()) {
        const std::size_t blank = text.find("\n\n");
        std::string_view raw = text.substr(0, blank == text.npos ? text.size() : blank + 1);
        text.remove_prefix(blank == text.npos ? text.size() : blank + 2);
        std::string_view code = raw;
        while (code.substr(0, 2) == "//" || code.substr(0, 1) == "\n")
            code.remove_prefix(std::min(code.find('\n'), code.size() - 1) + 1);
        if (!code.empty()) pieces.push_back({name_of(code), code, {}, file.name.starts_with("bits_")});
    }
}

void find_overloaded_types(std::vector<piece>& pieces) {
    for (piece& each : pieces) {
        const auto same_name = [&each](const piece& other) { return other.name == each.name; };
        if (std::count_if(pieces.begin(), pieces.end(), same_name) == 1) continue;
        for (const std::string_view type : overloaded_types)
            if (mentions(each.raw, type)) each.type = type;
    }
}

/// A function of one to three arguments in both types, by the names that the frame has for them.
std::string pair_text(const std::string& name, int arity, bool in_library, const std::string& in_f32,
                      const std::string& in_f64, plan::frame frame) {
    static constexpr const char* parameters[] = {"", "{0} a", "{0} a, {0} b", "{0} a, {0} b, {0} c"};
    static constexpr const char* arguments[] = {"", "a", "a, b", "a, b, c"};
    std::string out;
    for (const bool single : {true, false}) {
        const char* const type = single ? "float" : "double";
        out += text::format("KILN_HELPER {} {}({}{}) {{ return {}({}{}); }}\n", type, name,
                            in_library ? "KILN_LIBRARY_PARAMETER " : "",
                            text::format(fmt::runtime(parameters[arity]), type), single ? in_f32 : in_f64,
                            in_library ? "KILN_LIBRARY " : "", arguments[arity]);
    }
    replace_markers(out, frame, false);
    return out;
}

/// EXACT_f and LIBRARY_f, where the text mentions them.
std::string pairs_for(std::string_view text, plan::frame frame, bool portable) {
    const bool cuda = frame == plan::frame::cuda;
    std::string out;
    if (text.find("LIBRARY_") != text.npos)
        for (const library_entry& each : library_entries) {
            const std::string name(each.name);
            if (!mentions(text, "LIBRARY_" + name)) continue;
            std::string in_f32(portable ? portable_function(name) : "");
            if (in_f32.empty()) in_f32 = name + (cuda ? "f" : "_f32");
            out += pair_text("LIBRARY_" + name, each.arity, true, in_f32, name + (cuda ? "" : "_f64"), frame);
        }
    if (mentions(text, "BLOCK_exp"))
        out += text::format(
            "static inline void BLOCK_exp(const void* const* library, float* values, long long count)\n{{\n"
            "    reinterpret_cast<void (*)(const float*, float*, long long)>(const_cast<void*>(library[{}]))(values, "
            "values, "
            "count);\n}}\n"
            "static inline void BLOCK_exp(const void* const* library, double* values, long long count)\n{{\n"
            "    reinterpret_cast<void (*)(const double*, double*, long long)>(const_cast<void*>(library[{}]))(values, "
            "values, "
            "count);\n}}\n",
            block_slot(row_of("exp"), precision::float32), block_slot(row_of("exp"), precision::float64));
    if (text.find("EXACT_") != text.npos)
        for (const exact_entry& each : exact_entries) {
            const std::string name = (cuda ? "" : "__builtin_") + std::string(each.name);
            if (mentions(text, "EXACT_" + std::string(each.name)))
                out += pair_text("EXACT_" + std::string(each.name), each.arity, false, name + "f", name, frame);
        }
    return out;
}

/// For users' text alone.
constexpr std::string_view names_of_c = "c_names";
/// For portable kernels alone.
constexpr std::string_view of_float32 = "float32/";

/// Of a frame's helpers, and of those that users' texts need.
struct pieces_of_frame {
    process::immortal<std::vector<piece>> usual;
    process::immortal<std::vector<piece>> of_c;
};
constinit pieces_of_frame cuda_pieces;
constinit process::immortal<std::vector<piece>> portable_pieces;
constinit pieces_of_frame host_pieces;

pieces_of_frame& made_for(plan::frame frame) { return frame == plan::frame::cuda ? cuda_pieces : host_pieces; }
constexpr std::string_view ending_of_other(plan::frame frame) { return frame == plan::frame::cuda ? "_host" : "_cuda"; }

const std::vector<piece>& pieces_of_c(plan::frame frame) {
    return made_for(frame).of_c([frame] {
        auto* const out = new std::vector<piece>;
        for (const helper_file& each : helper_files)
            if (each.name.starts_with(names_of_c) && !each.name.ends_with(ending_of_other(frame))) cut_into(*out, each);
        for (piece& each : *out)
            if (each.raw.starts_with(of_namespace_std)) each.type = "std";
        return out;
    });
}

// Names and places only: what a kernel does not use is not put together, since the first call of a process waits for this.
const std::vector<piece>& pieces_of(plan::frame frame) {
    return made_for(frame).usual([frame] {
        auto* const out = new std::vector<piece>;
        for (const helper_file& each : helper_files)
            if (!each.name.ends_with(ending_of_other(frame)) && !each.name.starts_with(names_of_c) &&
                !each.name.starts_with(of_float32))
                cut_into(*out, each);
        find_overloaded_types(*out);
        return out;
    });
}

/// Of CUDA, the host's functions of float32, and the bits that they look at.
const std::vector<piece>& pieces_of_float32() {
    return portable_pieces([] {
        auto* const out = new std::vector<piece>;
        for (const helper_file& each : helper_files)
            if (each.name == "bits_cuda" || each.name == "bits_odd" || each.name.starts_with(of_float32))
                cut_into(*out, each);
        find_overloaded_types(*out);
        return out;
    });
}

/// Those of the pieces that are mentioned, by the text or by what is taken of them.
std::string taken_of(const std::vector<piece>& pieces, std::string_view text, plan::frame frame, bool heavy,
                     bool with_bits = true) {
    std::string out;
    const auto mentioned = [&](std::string_view word) { return mentions(text, word) || mentions(out, word); };
    for (std::size_t i = pieces.size(); i-- > 0;)
        if (mentioned(pieces[i].name) && (pieces[i].type.empty() || mentioned(pieces[i].type)) &&
            (with_bits || !pieces[i].is_of_bits))
            out.insert(0, finished(pieces[i].raw, frame, heavy));
    return out;
}

}  // namespace

bool mentions(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

bool has_helper(std::string_view name, plan::frame frame) {
    for (const piece& each : pieces_of(frame))
        if (each.name == name) return true;
    return false;
}

c_names irregular_c_names(std::string_view users, std::string_view regular, plan::frame frame, bool all) {
    c_names out;
    const std::vector<piece>& pieces = pieces_of_c(frame);
    for (std::size_t i = pieces.size(); i-- > 0;) {
        const piece& each = pieces[i];
        const bool is_macro = each.raw.starts_with("#define");
        const bool users_own = all || (mentions(users, each.name) && (each.type.empty() || mentions(users, each.type)));
        if (!users_own && !mentions(regular, each.name) && !mentions(out.text, each.name)) continue;
        out.text.insert(0, finished(each.raw, frame, false));
        if (users_own && !is_macro && each.type.empty()) out.also_in_std.push_back(each.name);
    }
    return out;
}

std::string_view portable_helper(std::string_view name) {
    for (const piece& each : pieces_of_float32())
        if (each.name == name) return each.name;
    return "";
}

std::string_view portable_function(std::string_view name) {
    // Where a function has several forms, the one that chooses between them stands first here.
    for (const std::string_view how : {"portable_", "nearest_"})
        if (const std::string_view own = portable_helper(std::string(how) + std::string(name)); !own.empty())
            return own;
    return "";
}

std::string helpers_for(std::string_view text, plan::frame frame, const wanted_helpers& wanted) {
    // Of portable kernels, pairs are of functions of float32, and these of bits.
    const std::string usual = taken_of(pieces_of(frame), text, frame, wanted.heavy, /*with_bits=*/!wanted.portable);
    const std::string all = pairs_for(std::string(text) + usual, frame, wanted.portable) + usual;
    return wanted.portable ? taken_of(pieces_of_float32(), std::string(text) + all, frame, wanted.heavy) + all : all;
}

}  // namespace kiln::emit
