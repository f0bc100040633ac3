// Which combinations of a grid a run tries.
#include <support/check.hpp>
#include <support/sample.hpp>

#include <set>
#include <vector>

namespace {

std::vector<int> taken_of(int count, tests::sample chosen) {
    std::vector<int> out;
    for (int i = 0; i < count; ++i)
        if (chosen.takes_next()) out.push_back(i);
    return out;
}

}  // namespace

TEST_CASE("sample: one in so many, from any on, or every one") {
    CHECK(taken_of(7, tests::sample(3, 0, false)) == std::vector<int>{0, 3, 6});
    CHECK(taken_of(7, tests::sample(3, 2, false)) == std::vector<int>{2, 5});
    CHECK(taken_of(3, tests::sample(1, 0, false)) == std::vector<int>{0, 1, 2});
    CHECK(taken_of(4, tests::sample(3, 2, true)) == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("sample: of a grid whose inner lengths share no factor with it, each size of every axis") {
    tests::sample chosen(4, 0, false);
    std::set<int> outer, middle, inner;
    int count = 0;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 3; ++k) {
                if (!chosen.takes_next()) continue;
                ++count;
                outer.insert(i);
                middle.insert(j);
                inner.insert(k);
            }
    CHECK(count == 30);
    CHECK(outer.size() == 8);
    CHECK(middle.size() == 5);
    CHECK(inner.size() == 3);
}
