// kiln/emit/helpers: the pieces of text under emit/helpers/ that a kernel needs, and no others.
// in: a kernel's text so far   out: definitions to stand before it   knows nothing of: programs
#pragma once

#include <plan/target.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::emit {

struct wanted_helpers {
    bool heavy = false;     // the text is a long job for NVRTC (compile_weight.hpp)
    bool portable = false;  // functions of float32 are the host's, on CUDA
};

/// The helpers that `text` mentions, and those that they mention; definitions before uses. Empty when there are none.
std::string helpers_for(std::string_view text, plan::frame frame, const wanted_helpers& wanted = {});

/// CUDA: what computes a function of float32 to the host's bits, "nearest_exp"; "" where nothing does.
std::string_view portable_function(std::string_view name);

/// CUDA: a helper of portable kernels of that name; "" where there is none.
std::string_view portable_helper(std::string_view name);

/// Of c_names_host.inc or c_names_cuda.inc.
struct c_names {
    std::string text;                           // definitions before uses
    std::vector<std::string_view> also_in_std;  // those that C++ has in namespace std, too
};

/// What the frame's file has of the names that `users`' text mentions, or that `regular` does, the other declarations that it
/// gets; everything, if `all`.
c_names irregular_c_names(std::string_view users, std::string_view regular, plan::frame frame, bool all);

/// Whether this frame has a helper of that name.
bool has_helper(std::string_view name, plan::frame frame);

inline constexpr std::array<bool, 256> word_characters = [] {
    std::array<bool, 256> out{};
    for (const char c : std::string_view("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        out[static_cast<unsigned char>(c)] = true;
    return out;
}();
constexpr bool is_word(char c) { return word_characters[static_cast<unsigned char>(c)]; }

/// Whether `word` stands in `text` as a whole word.
bool mentions(std::string_view text, std::string_view word);

/// For many words, which would be as many walks.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (!is_word(text[begin])) continue;
        std::size_t end = begin + 1;
        while (end < text.size() && is_word(text[end])) ++end;
        visit(text.substr(begin, end - begin));
        begin = end;
    }
}

}  // namespace kiln::emit
