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
    void clear() {
        slots_.assign(slots_.size(), {});
        count_ = 0;
    }

    [[nodiscard]] const int* find(const term* wanted) const {
        if (slots_.empty()) return nullptr;
        for (std::size_t i = start(wanted);; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i].key == wanted) return &slots_[i].number;
            if (slots_[i].key == nullptr) return nullptr;
        }
    }

    void insert(const term* key, int number) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        ++count_;
        place({key, number});
    }

    [[nodiscard]] int size() const { return static_cast<int>(count_); }

private:
    struct slot {
        const term* key = nullptr;
        int number = -1;
    };

    [[nodiscard]] std::size_t start(const term* key) const {
        return (std::bit_cast<std::uintptr_t>(key) * 0x9e3779b97f4a7c15u >> 20) & (slots_.size() - 1);
    }
    void place(slot added) {
        std::size_t i = start(added.key);
        while (slots_[i].key) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = added;
    }
    void grow() {
        std::vector<slot> old(slots_.empty() ? 16 : 2 * slots_.size());
        old.swap(slots_);
        for (const slot& each : old)
            if (each.key) place(each);
    }

    std::vector<slot> slots_;
    std::size_t count_ = 0;
};

}  // namespace kiln::inline v0_1::detail
