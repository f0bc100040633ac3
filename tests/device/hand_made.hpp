// tests/device/hand_made: programs and kernels written out by hand, so that a device can be tested without the rooms
// that plan for it.
#pragma once

#include <plan/layout.hpp>
#include <plan/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tests {

using kiln::element_type;
using kiln::operation;
using kiln::lower::value_id;
using kiln::plan::access;

/// Arrays first, then scalars, then steps: values are numbered in that order.
class hand_made {
public:
    value_id array(element_type type, access how = access::contiguous) {
        code.arrays.push_back(type);
        const auto value = static_cast<value_id>(code.arrays.size()) - 1;
        kernel.inputs.push_back({.value = value, .memory = static_cast<int>(value), .type = type, .how = how});
        code.is_position.push_back(false);
        sign();
        return value;
    }
    /// Its parameter is the first position's value.
    value_id position() {
        const value_id value = array(element_type::int64);
        kernel.inputs.back().is_position = true;
        code.is_position.back() = true;
        sign();
        return value;
    }
    value_id scalar(element_type type) {
        code.scalars.push_back(type);
        kernel.scalars.push_back(code.scalar_value(static_cast<int>(code.scalars.size()) - 1));
        sign();
        return kernel.scalars.back();
    }
    /// `operands`: the type that they meet in.
    value_id step(operation what, element_type operands, element_type result, std::initializer_list<value_id> args) {
        kiln::lower::step added;
        added.code = what;
        added.operands = operands;
        added.result = result;
        added.arity = static_cast<std::int8_t>(args.size());
        int i = 0;
        for (const value_id arg : args) added.args[i++] = arg;
        code.steps.push_back(added);
        kernel.last_step = static_cast<int>(code.steps.size());
        return code.step_value(kernel.last_step - 1);
    }
    value_id step(operation what, element_type operands, std::initializer_list<value_id> args) {
        return step(what, operands, kiln::detail::result_type(what, operands), args);
    }
    value_id cast(element_type from, element_type to, value_id arg) { return step(operation::cast, from, to, {arg}); }

    void output(value_id value, access how = access::contiguous) {
        code.outputs.push_back(value);
        kernel.outputs.push_back({.value = value, .memory = 0, .type = code.type_of(value), .how = how});
        sign();
    }

    /// Once all operands are there: those that are strided have a stride on every axis.
    void axes(int rank) {
        kernel.rank = rank;
        for (auto* operands : {&kernel.outputs, &kernel.inputs})
            for (kiln::plan::operand& each : *operands)
                if (each.how != access::contiguous) each.address.axes = static_cast<std::uint8_t>((1 << rank) - 1);
        kiln::plan::assign_words(kernel);
        sign();
    }

    kiln::lower::program code;
    kiln::plan::kernel kernel;

private:
    void sign() { kernel.signature = kiln::plan::signature_of(code, kernel); }
};

/// Parameters in the order of a signature: outputs, inputs, scalars, then the count or the layout.
class hand_packed {
public:
    void pointer(const void* memory) { words_.push_back(reinterpret_cast<std::uint64_t>(memory)); }
    template <class T>
    void value(T scalar) {
        words_.push_back(0);
        __builtin_memcpy(&words_.back(), &scalar, sizeof(T));
    }
    /// The element count of a kernel whose operands are all contiguous.
    void count(std::int64_t elements) { value(elements); }
    /// Strides of the strided operands, outputs first.
    void layout(const std::vector<std::int64_t>& extents, const std::vector<std::vector<std::int64_t>>& strides) {
        std::int64_t elements = 1;
        for (const std::int64_t extent : extents) elements *= extent;
        layout_ = {elements};
        layout_.insert(layout_.end(), extents.begin(), extents.end());
        for (const std::int64_t extent : extents)
            layout_.push_back(static_cast<std::int64_t>(kiln::plan::fast_divisor(static_cast<std::uint32_t>(extent))));
        for (const std::vector<std::int64_t>& each : strides) layout_.insert(layout_.end(), each.begin(), each.end());
    }

    /// Valid until something is added.
    [[nodiscard]] void** slots() {
        slots_.clear();
        for (std::uint64_t& word : words_) slots_.push_back(&word);
        if (!layout_.empty()) slots_.push_back(layout_.data());
        return slots_.data();
    }

private:
    std::vector<std::uint64_t> words_;
    std::vector<std::int64_t> layout_;
    std::vector<void*> slots_;
};

/// std::vector<bool> keeps bits; kernels want bytes.
template <class T>
class elements_of {
public:
    explicit elements_of(std::size_t count) : bytes_(count * sizeof(T)) {}
    explicit elements_of(const std::vector<T>& from) : elements_of(from.size()) {
        for (std::size_t i = 0; i < from.size(); ++i) set(i, from[i]);
    }
    [[nodiscard]] void* data() { return bytes_.data(); }
    [[nodiscard]] std::vector<T> vector() const {
        std::vector<T> out(bytes_.size() / sizeof(T));
        for (std::size_t i = 0; i < out.size(); ++i) {
            T element;
            __builtin_memcpy(&element, bytes_.data() + i * sizeof(T), sizeof(T));
            out[i] = element;
        }
        return out;
    }

private:
    void set(std::size_t i, T element) { __builtin_memcpy(bytes_.data() + i * sizeof(T), &element, sizeof(T)); }
    std::vector<std::byte> bytes_;
};

}  // namespace tests
