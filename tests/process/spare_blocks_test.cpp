#include <doctest/doctest.h>

#include <process/spare_blocks.hpp>

#include <algorithm>
#include <thread>
#include <vector>

using kiln::process::keeps_spare_blocks;
using kiln::process::spare_blocks;

namespace {

struct object {
    std::byte bytes[96];
};

struct object_of_two_threads {
    std::byte bytes[96];
};

struct object_of_many {
    std::byte bytes[16];
};

}  // namespace

TEST_CASE("a block that was given back is taken again") {
    void* const first = spare_blocks<object>::take();
    spare_blocks<object>::give_back(first);
    void* const second = spare_blocks<object>::take();
    if (keeps_spare_blocks) CHECK(second == first);
    void* const third = spare_blocks<object>::take();
    CHECK(third != second);
    spare_blocks<object>::give_back(second);
    spare_blocks<object>::give_back(third);
}

TEST_CASE("a block that another thread gives back is not the first thread's any more") {
    using blocks = spare_blocks<object_of_two_threads>;
    void* const mine = blocks::take();
    std::thread([mine] {
        void* const its = blocks::take();
        blocks::give_back(mine);
        blocks::give_back(its);
        void* const again = blocks::take();
        if (keeps_spare_blocks) CHECK(again == its);
        blocks::give_back(again);
    }).join();
    // What that thread kept is gone with it; a thread that has taken none keeps none.
    std::thread([] { blocks::give_back(::operator new(sizeof(object_of_two_threads))); }).join();
}

TEST_CASE("a thread keeps 64 blocks, not all that it ever gave back") {
    if (!keeps_spare_blocks) return;
    using blocks = spare_blocks<object_of_many>;
    std::vector<void*> taken(200);
    for (void*& each : taken) each = blocks::take();
    for (void* const each : taken) blocks::give_back(each);
    // The last 136 went to the allocator, which may hand them out again, but these 64 come first and in order.
    std::vector<void*> again(64);
    for (void*& each : again) each = blocks::take();
    CHECK(std::equal(again.begin(), again.end(), std::make_reverse_iterator(taken.begin() + 64)));
    for (void* const each : again) blocks::give_back(each);
}
