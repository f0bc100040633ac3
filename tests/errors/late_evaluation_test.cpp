// Evaluating when the program has mostly ended (programs/late_evaluation.cpp): as processes, since that is how a crash shows.
#include <support/build_paths.hpp>
#include <support/child.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("case 48: static destructors, atexit, detached threads: what is evaluated late is right, or an error") {
    const tests::temporary_folder folder;
    const std::string cache = folder.path() + "/cache";
    for (const std::string way : {"early", "late", "atexit", "thread", "others", "local", "arrays", "first"}) {
        // How far a thread is when main() returns is chance.
        const int rounds = way == "thread" ? 10 : 2;
        for (int round = 0; round < rounds; ++round) {
            CAPTURE(way);
            CAPTURE(round);
            const tests::child_result ended = tests::run_program(
                tests::late_evaluation_program(), {way}, tests::with_this_device({{"KILN_CACHE_DIR", cache.c_str()}}));
            CAPTURE(ended.output);
            CHECK(ended.exit_status == 0);
        }
    }
}
