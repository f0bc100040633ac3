// kiln/capture/term_table: which terms a walk has met.
// knows nothing of: what terms are
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::inline v0_1::detail {

struct term;

/// A number for each term that was met. Open addressing, because walks happen at every call.
class term_table {
public:
    /// Takes the same time whatever was in it: a million terms once must not make each later expression pay for them.
    void clear() {
        count_ = 0;
        if (++round_ == 0) {  // as many rounds as there are numbers: slots of the first could be taken for this one's
            slots_.assign(slots_.size(), {});
            round_ = 1;
        }
    }

    [[nodiscard]] const int* find(const term* wanted) const {
        if (slots_.empty()) return nullptr;
        for (std::size_t i = start(wanted);; i = (i + 1) & (slots_.size() - 1)) {
            if (!is_taken(slots_[i])) return nullptr;
            if (slots_[i].key == wanted) return &slots_[i].number;
        }
    }

    void insert(const term* key, int number) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        ++count_;
        place({key, number, round_});
    }

    [[nodiscard]] int size() const { return static_cast<int>(count_); }

private:
    struct slot {
        const term* key = nullptr;
        int number = -1;
        std::uint32_t round = 0;  // in which it was filled; that of another is empty
    };

    [[nodiscard]] bool is_taken(const slot& each) const { return each.round == round_; }

    [[nodiscard]] std::size_t start(const term* key) const {
        return (std::bit_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
    }
    void place(slot added) {
        std::size_t i = start(added.key);
        while (is_taken(slots_[i])) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = added;
    }
    void grow() {
        std::vector<slot> old(slots_.empty() ? 16 : 2 * slots_.size());
        old.swap(slots_);
        for (const slot& each : old)
            if (is_taken(each)) place(each);
    }

    std::vector<slot> slots_;
    std::size_t count_ = 0;
    std::uint32_t round_ = 1;
};

}  // namespace kiln::inline v0_1::detail
