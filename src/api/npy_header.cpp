#include <api/npy_header.hpp>

#include <text/format.hpp>

#include <bit>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 20;  // what is longer is no header of an array of up to 8 axes

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error(what); }

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Reads what Python prints of a dictionary of strings, booleans and tuples of integers.
class literal_reader {
public:
    explicit literal_reader(std::string_view text) : rest_(text) {}

    /// Whether it comes next; then it is read.
    bool take(char wanted) {
        skip_spaces();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!take(wanted)) refuse(text::format("its header has no '{}' before {}", wanted, shown()));
    }
    [[nodiscard]] bool at_end() {
        skip_spaces();
        return rest_.empty();
    }

    std::string_view string() {
        skip_spaces();
        const char quote = rest_.empty() ? '\0' : rest_.front();
        const std::size_t end = quote == '\'' || quote == '"' ? rest_.find(quote, 1) : std::string_view::npos;
        if (end == std::string_view::npos) refuse("its header has no string before " + shown());
        const std::string_view found = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return found;
    }

    bool boolean() {
        skip_spaces();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (!rest_.starts_with(word)) continue;
            rest_.remove_prefix(word.size());
            return value;
        }
        refuse("its header has neither True nor False before " + shown());
    }

    std::int64_t integer() {
        skip_spaces();
        if (rest_.size() > 1 && rest_[0] == '0' && rest_[1] >= '0' && rest_[1] <= '9')
            refuse("a number in its header begins with 0: " + shown());
        std::int64_t value = 0;
        const auto [end, trouble] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (trouble == std::errc::result_out_of_range) refuse("an extent in its header is past 2^63-1: " + shown());
        if (trouble != std::errc()) refuse("its header has no number before " + shown());
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        if (rest_.starts_with('L')) rest_.remove_prefix(1);  // Python 2 printed long integers so
        return value;
    }

    [[nodiscard]] bool is_next(char wanted) {
        skip_spaces();
        return rest_.starts_with(wanted);
    }

    /// What is left, for errors: short, and printable whatever the file holds.
    [[nodiscard]] std::string shown() const {
        if (rest_.empty()) return "its end";
        std::string out = "\"";
        for (const char each : rest_.substr(0, 24)) out += each >= ' ' && each <= '~' ? each : '?';
        return out + (rest_.size() > 24 ? "...\"" : "\"");
    }

private:
    void skip_spaces() {
        const std::size_t first = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    }

    std::string_view rest_;
};

/// NumPy's letter and size of a type, without the byte order: "f4".
std::string code_of(element_type type) {
    if (type == element_type::bfloat16) return "V2";  // NumPy has no letter of its own for it
    const char letters[] = {'b', 'i', 'f', 'c'};      // in the order of element_kind
    const element_type_info& of = info(type);
    const bool is_unsigned = of.kind == element_kind::integer && of.suffix[0] == 'u';
    return text::format("{}{}", is_unsigned ? 'u' : letters[static_cast<int>(of.kind)], of.bytes);
}

/// Sets type and byte order by "<f4", ">i8", "|b1".
void read_description(std::string_view description, npy_header& into) {
    const std::string quoted = "'" + std::string(description) + "'";
    if (description.size() < 2) refuse("its elements are of type " + quoted + ", which is no type of kiln's");
    const char order = description.front();
    const bool has_order = order == '<' || order == '>' || order == '|' || order == '=';
    const std::string_view code = has_order ? description.substr(1) : description;
    for (int each = 0; each < element_type_count; ++each) {
        const auto type = static_cast<element_type>(each);
        if (code != code_of(type)) continue;
        into.type = type;
        into.big_endian =
            order == '>' || (!has_order || order == '=' ? std::endian::native == std::endian::big : false);
        if (bytes_of(type) == 1) into.big_endian = false;
        return;
    }
    const char kind = code.front();
    if (kind == 'O') refuse("it holds Python objects, which only Python can read");
    if (kind == 'U' || kind == 'S' || kind == 'a') refuse("it holds strings (" + quoted + ")");
    if (kind == 'M' || kind == 'm')
        refuse("it holds dates or times (" + quoted + "): in NumPy, x.view('int64') are integers");
    refuse("its elements are of type " + quoted + ", which is no type of kiln's");
}

shape read_shape(literal_reader& from) {
    std::vector<std::int64_t> extents;
    from.expect('(');
    while (!from.take(')')) {
        extents.push_back(from.integer());
        if (extents.size() > max_rank) refuse(text::format("it has more than {} axes", max_rank));
        if (extents.back() < 0) refuse(text::format("its header has an extent of {}", extents.back()));
        if (!from.take(',')) {
            if (extents.size() == 1) from.expect(',');  // (3) is no tuple
            from.expect(')');
            break;
        }
    }
    return extents;
}

}  // namespace

npy_prefix parse_npy_prefix(std::string_view begin) {
    if (begin.starts_with("PK"))
        refuse("it is an archive of several (.npz), which kiln does not read; unzip gives .npy files");
    if (!begin.starts_with(magic)) refuse("it does not begin as a .npy file does (\"\\x93NUMPY\")");
    if (begin.size() < 8) refuse("it ends within its first 8 bytes");
    const int version = static_cast<unsigned char>(begin[6]);
    if (version < 1 || version > 3)
        refuse(text::format("it is of version {}.{} of the format; kiln reads 1 to 3", version,
                            static_cast<unsigned char>(begin[7])));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    if (begin.size() < 8 + length_bytes) refuse(text::format("it ends within its first {} bytes", 8 + length_bytes));
    const npy_prefix prefix{8 + length_bytes, little_endian(begin.substr(8, length_bytes))};
    if (prefix.header_bytes > longest_header)
        refuse(text::format("it says that its header has {} bytes", prefix.header_bytes));
    return prefix;
}

npy_header parse_npy_header(std::string_view text) {
    npy_header header;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    literal_reader from(text);
    from.expect('{');
    while (!from.take('}')) {
        const std::string_view key = from.string();
        from.expect(':');
        if (key == "descr") {
            if (from.is_next('[')) refuse("it holds records (a structured type), each of several values");
            read_description(from.string(), header);
            has_type = true;
        } else if (key == "fortran_order") {
            header.column_major = from.boolean();
            has_order = true;
        } else if (key == "shape") {
            header.extents = read_shape(from);
            has_shape = true;
        } else {
            refuse("its header says '" + std::string(key.substr(0, 24)) + "', which no version of the format has");
        }
        if (!from.take(',')) {
            from.expect('}');
            break;
        }
    }
    if (!from.at_end()) refuse("its header goes on after its end: " + from.shown());
    if (!has_type || !has_order || !has_shape) refuse("its header lacks one of descr, fortran_order, shape");
    if (header.extents.size() > std::numeric_limits<std::int64_t>::max() / bytes_of(header.type))
        refuse("its elements, of shape " + to_string(header.extents) + ", take more than 2^63-1 bytes");
    return header;
}

std::string npy_header_of(element_type type, const shape& extents) {
    const char order = bytes_of(type) == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    std::string text = text::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", order, code_of(type),
                                    to_string(extents));
    const std::size_t prefix = magic.size() + 4;
    text.append(63 - (prefix + text.size()) % 64, ' ');
    text += '\n';
    std::string out(magic);
    out += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return out + text;
}

}  // namespace kiln::inline v0_1::detail
