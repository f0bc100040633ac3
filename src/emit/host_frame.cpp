// The host frame: a range of elements per call, so that each thread of the CPU device takes one. Contiguous: one loop that
// the compiler vectorises. Others: row by row along the innermost axis, positions of the outer axes stepped without a
// division; or, where neighbours of some operands are along another axis, a range of tiles.
#include <emit/address.hpp>
#include <emit/frames.hpp>
#include <emit/host_persistent_rows.hpp>
#include <emit/host_rows.hpp>
#include <emit/host_shuffles.hpp>
#include <emit/host_tile.hpp>
#include <emit/row_moves.hpp>
#include <emit/short_rows.hpp>
#include <plan/layout.hpp>
#include <text/format.hpp>

namespace kiln::emit {

namespace {

using plan::kernel;
using plan::operand;

class host_writer {
public:
    host_writer(const lower::program& program, const kernel& of, const std::string& name)
        : program_(program),
          kernel_(of),
          inside_(make_body(program, of)),
          name_(name),
          names_(program, of),
          addresses_(of, plan::frame::host),
          rows_(of, inside_, names_, addresses_) {}

    std::string run() {
        std::string code = inside_.functions;
        persistent_rows_text persistent;
        if (kernel_.persistent_rows)
            persistent = host_persistent_rows(program_, kernel_, names_, addresses_, inside_.uses_library);
        std::string function = kernel_.persistent_rows ? persistent.functions
                                                       : text::format("static inline void body({})\n{{\n{}}}\n\n",
                                                                      inside_.parameters, inside_.steps);
        function += text::format(
            "extern \"C\" void {}(void* const* parameters, long long begin, long long end, const void* const* "
            "library)\n{{\n",
            name_);
        const std::string elements = kernel_.persistent_rows                          ? persistent.lines
                                     : kernel_.mapping == plan::thread_mapping::tiles ? tiles()
                                     : kernel_.short_rows ? short_rows(kernel_, names_, addresses_, rows_)
                                                          : rows();
        function += unpack() + rows_.before_rows(elements) + elements;
        if (function.find("store_nontemporal") != function.npos) code += store_nontemporal_text;
        if (function.find(" turn<") != function.npos) code += turn_words_text;
        if (function.find(" turn_wide<") != function.npos) code += turn_wide_text;
        code += row_move_functions(kernel_, function);
        if (code.find("HAS_SHUFFLES") != code.npos) code = has_shuffles_text + code;
        code += addresses_.functions(function) + function;
        return heading(program_, kernel_) + typedefs_for(code) + "\n" + code + "}\n";
    }

private:
    std::string unpack() const {
        std::string out;
        for (int slot = 0; const plan::parameter& each : kernel_.signature) out += unpack(each, slot++);
        return out;
    }

    std::string unpack(const plan::parameter& of, int slot) const {
        const auto index = static_cast<std::size_t>(of.index);
        switch (of.what) {
            case plan::role::output:
                return text::format("    {0}* const y{1} = *static_cast<{0}* const*>(parameters[{2}]);\n",
                                    spelling(kernel_.outputs[index].type), index, slot);
            case plan::role::input:
            case plan::role::position: {
                const operand& input = kernel_.inputs[index];
                return text::format("    const {0}{1} {2} = *static_cast<const {0}{1}*>(parameters[{3}]);\n",
                                    spelling(input.type), input.is_position ? "" : "* const", names_(input.value),
                                    slot);
            }
            case plan::role::scalar: {
                const lower::value_id scalar = kernel_.scalars[index];
                return text::format("    const {0} {1} = *static_cast<const {0}*>(parameters[{2}]);\n",
                                    spelling(program_.type_of(scalar)), names_(scalar), slot);
            }
            case plan::role::layout:
                return text::format("    const i64* const at = static_cast<const i64*>(parameters[{}]);\n", slot);
            default: return {};  // the range of elements says how many there are
        }
    }

    [[nodiscard]] int inner() const { return kernel_.rank - 1; }
    [[nodiscard]] std::string extent(int axis) const { return addresses_.word(plan::layout_extent(axis)); }

    std::string rows() const {
        if (inner() == 0) return rows_.row({"begin", "end", "", "    ", {}});
        std::string out;
        std::string rest = "begin";
        for (int axis = inner(); axis > 0; --axis) {
            out += text::format("    i64 p{0} = {1} % {2};\n    const i64 rest{3} = {1} / {2};\n", axis, rest,
                                extent(axis), axis - 1);
            rest = text::format("rest{}", axis - 1);
        }
        out += text::format("    i64 p0 = rest0;\n    for (i64 first = begin; first < end;) {{\n");
        // `first` is where the row's position 0 would be in the contiguous operands.
        out += text::format(
            "        const i64 row_begin = p{0};\n"
            "        const i64 row_end = {1} - p{0} < end - first ? {1} : p{0} + (end - first);\n"
            "        const i64 row = first - row_begin;\n",
            inner(), extent(inner()));
        out += rows_.row({"row_begin", "row_end", "row", "        ", {}});
        out += text::format("        first += row_end - row_begin;\n        p{} = 0;\n", inner());
        return out + next_row() + "    }\n";
    }

    /// One is carried from the axis inside each.
    std::string next_row() const {
        std::string out = text::format("        ++p{};\n", inner() - 1);
        for (int axis = inner() - 1; axis > 0; --axis)
            out += text::format("        if (p{0} == {1}) {{ p{0} = 0; ++p{2}; }}\n", axis, extent(axis), axis - 1);
        return out;
    }

    [[nodiscard]] bool tiled(const operand& of) const { return kernel_.tiled(of) && !of.is_position; }

    /// Squares of the innermost axis and the tile's. Operands whose neighbours are along the tile's axis pass through a
    /// square of their own in the first cache, so that memory is read in whole lines, and rows are plain.
    std::string tiles() const {
        const int across = kernel_.tile_axis;
        const int side = kernel_.tile_side;
        const auto bounds = [&](const char* name, int axis, const std::string& number) {
            return text::format(
                "        const i64 {0}_begin = {1} * {2};\n"
                "        const i64 {0}_end = least_index({0}_begin + {2}, {3});\n",
                name, number, side, extent(axis));
        };
        const std::string along_count = addresses_.word(kernel_.grid_word);
        const std::string across_count = addresses_.word(kernel_.grid_word + 2);
        std::string out = "    for (i64 tile = begin; tile < end; ++tile) {\n";
        out += bounds("row", inner(), text::format("tile % {}", along_count));
        out += text::format("        i64 rest = tile / {};\n", along_count);
        out += bounds("tile", across, text::format("rest % {}", across_count));
        out += text::format("        rest /= {};\n", across_count);
        for (int axis = inner() - 1; axis >= 0; --axis) {
            if (axis == across) continue;
            out += text::format("        const i64 p{0} = rest % {1};\n        rest /= {1};\n", axis, extent(axis));
        }
        for (const operand& each : kernel_.inputs)
            if (tiled(each)) out += read_tile(each, names_(each.value));
        out += text::format("        for (i64 p{0} = tile_begin; p{0} < tile_end; ++p{0}) {{\n", across);
        std::string row = "p0";
        for (int axis = 1; axis < kernel_.rank; ++axis)
            row = text::format("{} * {}", axis == 1 ? row : "(" + row + ")", extent(axis)) +
                  (axis < inner() ? " + " + axis_position(axis) : "");
        out += text::format("            const i64 row = {};\n", row);
        out += text::format("            const i64 line = (p{} - tile_begin) * {} - row_begin;\n", across, side);
        const auto in_tile = [this](const operand& of, const std::string& name) {
            return tiled(of) ? text::format("tile_{}[line + i]", name) : std::string();
        };
        out += rows_.row({"row_begin", "row_end", "row", "            ", in_tile});
        return out + "        }\n    }\n";
    }

    std::string read_tile(const operand& of, const std::string& name) const {
        const std::string address = addresses_.address(of, name, [&](int axis) {
            return axis == inner() ? "row_begin" : axis == kernel_.tile_axis ? "tile_begin" : axis_position(axis);
        });
        return text::format(
            "        alignas(64) {0} tile_{1}[{2} * {2}];\n"
            "        {3}(tile_{1}, {1} + ({4}), {5}, row_end - row_begin, tile_end - tile_begin);\n",
            spelling(of.type), name, kernel_.tile_side, turn_of(bytes_of(of.type)), address,
            addresses_.stride(of, inner()));
    }

    std::string turn_of(int bytes) const {
        if (bytes > 8) return text::format("turn_wide<{}>", kernel_.tile_side);
        const char* const word = bytes == 1 ? "u8" : bytes == 2 ? "u16" : bytes == 4 ? "u32" : "u64";
        return text::format("turn<{}, {}>", word, kernel_.tile_side);
    }

    const lower::program& program_;
    const kernel& kernel_;
    const body inside_;
    const std::string& name_;
    const value_names names_;
    const address_text addresses_;
    const host_rows rows_;
};

}  // namespace

std::string host_frame(const lower::program& program, const kernel& of, const std::string& name) {
    return host_writer(program, of, name).run();
}

}  // namespace kiln::emit
