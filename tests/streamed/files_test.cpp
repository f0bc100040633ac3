// .npy files as host arrays: mapped, read and written chunk by chunk, and what is refused.
#include <streamed/in_chunks.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace k = kiln;
using namespace tests::in_chunks;

TEST_CASE_FIXTURE(in_a_folder,
                  "host arrays: a file, or memory of the user's, is not left for an expression of another shape") {
    auto y = k::create_npy<float>(path("y.npy"), {3, 4});
    CHECK(has(said_by([&] { y = k::zeros<float>({4}); }), "shape (4,) is not written into " + path("y.npy") +
                                                              ", which has shape (3, 4), and would leave it as it is"));
    y(k::all) = k::ones<float>({4});
    CHECK(k::sum(k::load_npy<float>(path("y.npy"))).item() == 12);
    std::vector<float> memory(6);
    k::host_array<float> over(k::wrap(memory));
    CHECK(has(said_by([&] { over = k::zeros<float>({7}); }), "memory that k::wrap refers to"));
    k::host_array<float> own({6});
    own = k::zeros<float>({7});
    CHECK((own.shape() == k::shape{7}));
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: where not even one position has room, the number is said") {
    k::save_npy(path("x.npy"), k::zeros<float>({300, 1000}));
    const auto x = k::open_npy<float>(path("x.npy"));
    const k::scoped_device here(k::cpu);
    const tests::changed_variable little("KILN_DEVICE_MEMORY", "1000");
    const std::string said = said_by([&] { (void)k::array<float>(x + 1.0f); });
    CAPTURE(said);
    CHECK(has(said, "the smallest chunk of an expression of files of shape (300, 1000) takes"));
    CHECK(has(said, "KILN_DEVICE_MEMORY=1000"));
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: mapped, read and written in chunks, by the CPU and by a device") {
    std::vector<float> values = noise<float>(300 * 1000, 12);
    k::save_npy(path("x.npy"), k::from_host(values, {300, 1000}));
    const auto x = k::open_npy<float>(path("x.npy"));
    CHECK((x.shape() == k::shape{300, 1000}));
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        const tests::changed_variable little("KILN_DEVICE_MEMORY", "600K");
        auto y = k::create_npy<float>(path("y.npy"), {300, 1000});
        y = x * x - 0.5f;
        y.flush();
        const tests::changed_variable all("KILN_DEVICE_MEMORY", nullptr);
        const k::array<float> a = k::from_host(values, {300, 1000});
        CHECK_SAME(k::load_npy<float>(path("y.npy")).to_host(), k::array<float>(a * a - 0.5f).to_host());
    }
    // Scans and sorts of rows, reductions of all kinds, by chunks of the files.
    const auto check = [&](auto make) {
        const tests::changed_variable little("KILN_DEVICE_MEMORY", "600K");
        const k::scoped_device here(k::cpu);
        const auto chunked = k::eval(make(x));
        k::host_array<typename decltype(chunked)::value_type> into;
        into = make(x);
        const auto whole = k::eval(make(k::from_host(values, {300, 1000})));
        CHECK((chunked.shape() == whole.shape()));
        CHECK_SAME(chunked.to_host(), whole.to_host());
        CHECK_SAME(elements_of(into), whole.to_host());
    };
    check([](const auto& of) { return k::cumsum(k::where(of == of, of, 0.5f), k::axis(1)); });
    check([](const auto& of) { return k::sort(of, k::axis(1)); });
    check([](const auto& of) { return k::sum(of * of, k::axis(1)); });
    check([](const auto& of) { return k::sum(of, k::axis(0)); });
    check([](const auto& of) { return k::sum(of); });
    check([](const auto& of) { return k::mean(of, k::axis(0), k::keep_dims) + of; });
    check([](const auto& of) { return of / k::sum(of, k::axis(1), k::keep_dims); });
    check([](const auto& of) { return k::cumsum(of, k::axis(0)); });  // in one piece
    check([](const auto& of) { return k::transpose(of) + 1.0f; });
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: one that stands several times in an expression is read once by each chunk") {
    constexpr std::int64_t count = 300'000;
    const k::scoped_device here(k::cpu);
    k::save_npy(path("x.npy"), k::from_host(noise<float>(count, 31), {count}));
    const auto x = k::open_npy<float>(path("x.npy"));
    auto y = k::create_npy<float>(path("y.npy"), {count});
    const tests::changed_variable little("KILN_DEVICE_MEMORY", "256K");
    k::counters before = k::counters::now();
    y = k::sqrt(x * x + k::abs(x) + 1.0f) * x;
    const k::counters spent = k::counters::now() - before;
    CHECK(spent.launches > 2);
    CHECK(spent.bytes_read == count * static_cast<std::int64_t>(sizeof(float)));
    // And the kernel is that of an array, whole.
    before = k::counters::now();
    const auto of_array = k::load_npy<float>(path("x.npy"));
    (void)k::array<float>(k::sqrt(of_array * of_array + k::abs(of_array) + 1.0f) * of_array);
    CHECK((k::counters::now() - before).compiles == 0);
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: reductions by a function of the user's, chunk by chunk") {
    const k::scoped_device here(k::cpu);
    if (!k::cpu.describe().compiles) return;
    std::vector<float> values = noise<float>(300 * 1001, 19);
    for (float& each : values)
        if (!std::isfinite(each)) each = 0.5f;
    k::save_npy(path("x.npy"), k::from_host(values, {300, 1001}));
    const auto x = k::open_npy<float>(path("x.npy"));
    const k::array<float> a = k::from_host(values, {300, 1001});
    const auto joined = k::reduction<float>(0, "a", "b", "return a + b - 1e-3f * a * b;");
    const tests::changed_variable little("KILN_DEVICE_MEMORY", "300K");
    CHECK(k::explain(joined(x)).chunks.count > 3);
    CHECK_SAME(k::eval(joined(x)).to_host(), k::eval(joined(a)).to_host());
    CHECK_SAME(k::eval(joined(x * 0.5f)).to_host(), k::eval(joined(a * 0.5f)).to_host());
    CHECK_SAME(k::eval(joined(x, k::axis(0))).to_host(), k::eval(joined(a, k::axis(0))).to_host());
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: what is written is read by another road, too") {
    constexpr std::int64_t n = 40'000;
    const tests::changed_variable little("KILN_DEVICE_MEMORY", "64K");
    const k::scoped_device here(k::cpu);
    const auto is_flipped = [](const float* at) {
        for (std::int64_t i = 0; i < n; ++i)
            if (at[i] != static_cast<float>(n - 1 - i)) return false;
        return true;
    };
    auto y = k::create_npy<float>(path("y.npy"), {n});
    y = k::arange<float>(n);
    y = k::flip(k::wrap(y.data(), {n}));
    CHECK(is_flipped(y.elements().data()));
    const auto again = k::open_npy<float>(path("y.npy"));
    y = k::flip(again);
    y = k::flip(again);
    CHECK(is_flipped(y.elements().data()));

    std::vector<float> memory(n);
    k::host_array<float> over(k::wrap(memory));
    over = k::arange<float>(n);
    over = k::flip(k::wrap(memory)) + again * 0.0f;
    CHECK(is_flipped(memory.data()));
}

TEST_CASE_FIXTURE(in_a_folder,
                  "npy files: reductions of scans and sorts, and what is taken of positions, in one piece") {
    const k::scoped_device here(k::cpu);
    k::save_npy(path("x.npy"), k::from_host(noise<std::int32_t>(1000, 17)));
    const auto x = k::open_npy<std::int32_t>(path("x.npy"));
    const k::array<std::int32_t> a = k::load_npy<std::int32_t>(path("x.npy"));
    const k::array<int> i = k::arange<int>(1000) % 7;
    const auto check = [&](auto make) { CHECK_SAME(k::eval(make(x, i)).to_host(), k::eval(make(a, i)).to_host()); };
    check([](const auto& of, const auto&) { return k::sum(k::cumsum(of)); });
    check([](const auto& of, const auto&) { return k::max(k::sort(of)); });
    check([](const auto& of, const auto&) { return k::sum(k::flip(of - k::sum(of))); });
    check([](const auto& of, const auto&) { return k::sort(of) - k::max(k::sort(of)); });
    check([](const auto& of, const auto& at) { return k::take(k::shift(of, {1}), at, k::axis(0)); });
    check([](const auto& of, const auto& at) { return k::take(k::concatenate(k::axis(0), of, of), at, k::axis(0)); });
    check([](const auto& of, const auto& at) {
        return k::take(of + k::cast<std::int32_t>(k::index(0)), at, k::axis(0));
    });
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: no elements, along the last axis") {
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        auto file = k::create_npy<float>(path("none.npy"), {3, 0});
        file = 1.0f;
        file = k::array<float>(k::ones<float>({3, 0})) + file;
        k::host_array<float> memory({3, 0});
        memory = memory + 1.0f;
        CHECK((memory.clone().shape() == k::shape{3, 0}));
        CHECK_SAME(k::array<float>(k::sum(file, k::axis(1))).to_host(), std::vector<float>({0, 0, 0}));
        CHECK(k::array<float>(k::sum(memory, k::axis(0))).size() == 0);
        CHECK(k::sum(file).item() == 0);
    }
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: what open_npy refuses, and a file that becomes shorter") {
    k::save_npy(path("x.npy"), k::cast<float>(k::arange<int>(100'000)));
    CHECK(said_by([&] { (void)k::open_npy<double>(path("x.npy")); }) ==
          "kiln: open_npy: " + path("x.npy") + " holds float32 of shape (100000,), not float64");
    CHECK(has(said_by([&] { (void)k::open_npy<float>(path("none.npy")); }), "cannot open"));
    k::save_npy(path("b.npy"), k::arange<int>(10) > 3);
    CHECK(has(said_by([&] { (void)k::open_npy<bool>(path("b.npy")); }), "open_npy<std::uint8_t>"));
    auto x = k::open_npy<float>(path("x.npy"));
    CHECK(said_by([&] { x = 1.0f; }) ==
          "kiln: host_array: " + path("x.npy") + " was opened to be read; edit_npy<T>(path) opens it to be written");
    CHECK(has(said_by([&] { (void)x.data(); }),
              "was opened to be read, as by std::as_const(x).data() or elements(); edit_npy<T>(path)"));
    CHECK(std::as_const(x).data()[3] == 3);
    CHECK(k::array<float>(x + 1.0f).to_host()[99'999] == 100'000);

    std::filesystem::resize_file(path("x.npy"), 200'000);
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        CHECK(has(said_by([&] { (void)k::array<float>(x + 1.0f); }), "was truncated while it was in use"));
        CHECK(has(said_by([&] { (void)k::sum(x).item(); }), "was truncated while it was in use"));
    }
    CHECK(has(said_by([&] { (void)k::open_npy<float>(path("x.npy")); }), "is truncated"));
    CHECK(has(said_by([&] { (void)std::as_const(x).elements(); }), "was truncated while it was in use"));
    auto y = k::create_npy<float>(path("y.npy"), {100'000});
    y = 1.0f;
    y.flush();
    std::filesystem::resize_file(path("y.npy"), 200'000);
    CHECK(has(said_by([&] { y.flush(); }), "was truncated while it was in use"));
    CHECK(has(said_by([&] { (void)y.data(); }), "was truncated while it was in use"));

    const std::string header = "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n";
    std::ofstream(path("big.npy"), std::ios::binary)
        << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size()) << '\0' << header << "1234";
    CHECK(has(said_by([&] { (void)k::open_npy<float>(path("big.npy")); }), "other byte order"));
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: a file of bool is one of bytes, 0 and 1") {
    const std::vector<bool> expected = k::array<bool>(k::arange<int>(1000) % 3 == 0).to_host();
    k::save_npy(path("saved.npy"), k::arange<int>(1000) % 3 == 0);
    k::host_array<bool> made = k::create_npy<bool>(path("made.npy"), {1000});
    made = k::arange<int>(1000) % 3 == 0;
    for (const char* name : {"saved.npy", "made.npy"}) {
        CAPTURE(name);
        for (const k::device& on : {k::cpu, tests::far_device()}) {
            const k::scoped_device here(on);
            CHECK(k::array<bool>(k::open_npy<std::uint8_t>(path(name)) != 0).to_host() == expected);
            CHECK(k::sum(k::open_npy<std::int8_t>(path(name))).item() == 334);
        }
        CHECK(said_by([&] { (void)k::open_npy<bool>(path(name)); }) ==
              "kiln: open_npy: " + path(name) +
                  " holds boolean of shape (1000,) whose bytes could be any: "
                  "open_npy<std::uint8_t>(path) takes them, != 0 makes them bool");
        CHECK(has(said_by([&] { (void)k::edit_npy<bool>(path(name)); }), "edit_npy<std::uint8_t>(path) takes them"));
        CHECK(has(said_by([&] { (void)k::open_npy<std::uint16_t>(path(name)); }), "not uint16"));
    }
    auto bytes = k::edit_npy<std::uint8_t>(path("made.npy"));
    bytes = k::arange<int>(1000) % 3 != 0;
    CHECK(k::all(k::load_npy<bool>(path("made.npy")) != k::load_npy<bool>(path("saved.npy"))).item());
    k::save_npy(path("bytes.npy"), k::ones<std::uint8_t>({3}));
    CHECK(has(said_by([&] { (void)k::open_npy<bool>(path("bytes.npy")); }), "holds uint8 of shape (3,), not boolean"));
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: edit_npy writes into a file that is there, and what is not assigned stays") {
    const auto bytes_of = [&](const char* name) {
        std::ifstream in(path(name), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        std::vector<float> values = noise<float>(300 * 100, 23);
        k::save_npy(path("x.npy"), k::from_host(values, {300, 100}));
        std::string expected = bytes_of("x.npy");
        const std::size_t header = expected.size() - values.size() * sizeof(float);
        const auto inode = [&] {
            struct stat about {};
            return ::stat(path("x.npy").c_str(), &about) == 0 ? about.st_ino : 0;
        };
        const auto before = inode();
        {
            const tests::changed_variable little("KILN_DEVICE_MEMORY", "64K");
            auto x = k::edit_npy<float>(path("x.npy"));
            CHECK((x.shape() == k::shape{300, 100}));
            x(k::range(10, 200)) = 2.5f;
            x(299)(k::range(1, 3)) = x(9)(k::range(1, 3));
            x(0) *= 2.0f;
            x.flush();
            CHECK(has(said_by([&] { x = k::zeros<float>({4}); }), "is not written into"));
        }
        for (std::size_t i = 1000; i < 20'000; ++i) values[i] = 2.5f;
        for (std::size_t i = 1; i < 3; ++i) values[29'900 + i] = values[900 + i];
        for (std::size_t i = 0; i < 100; ++i) values[i] *= 2.0f;
        std::memcpy(expected.data() + header, values.data(), values.size() * sizeof(float));
        CHECK(bytes_of("x.npy") == expected);
        CHECK(inode() == before);
    }
    CHECK(has(said_by([&] { (void)k::edit_npy<double>(path("x.npy")); }), "edit_npy: "));
    CHECK(has(said_by([&] { (void)k::edit_npy<double>(path("x.npy")); }), "holds float32 of shape (300, 100)"));
    CHECK_THROWS_AS((void)k::edit_npy<float>(path("none.npy")), k::file_error);
    CHECK_FALSE(std::filesystem::exists(path("none.npy")));
    std::filesystem::resize_file(path("x.npy"), 1000);
    CHECK(has(said_by([&] { (void)k::edit_npy<float>(path("x.npy")); }), "is truncated"));
    CHECK(std::filesystem::file_size(path("x.npy")) == 1000);

    k::save_npy(path("mine.npy"), k::arange<int>(10));
    ::chmod(path("mine.npy").c_str(), 0444);
    if (::geteuid() != 0) {  // who may write to everything is not refused
        CHECK(has(said_by([&] { (void)k::edit_npy<int>(path("mine.npy")); }),
                  "cannot open for writing " + path("mine.npy")));
    }
    CHECK(k::sum(k::open_npy<int>(path("mine.npy"))).item() == 45);
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: edit_npy of a column-major file") {
    std::vector<float> values = noise<float>(60, 13);
    const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (6, 10), }";
    const std::string padded = header + std::string(117 - header.size(), ' ') + '\n';
    std::ofstream(path("f.npy"), std::ios::binary)
        << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(padded.size()) << '\0' << padded
        << std::string(reinterpret_cast<const char*>(values.data()), 240);
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        auto f = k::edit_npy<float>(path("f.npy"));
        f(2) = k::cast<float>(k::arange<int>(10));
        CHECK(has(said_by([&] { (void)f.data(); }), "not row-major in memory"));
        for (std::size_t column = 0; column < 10; ++column) values[column * 6 + 2] = static_cast<float>(column);
        std::ifstream in(path("f.npy"), std::ios::binary);
        const std::string there(std::istreambuf_iterator<char>(in), {});
        CHECK(there.substr(128) == std::string(reinterpret_cast<const char*>(values.data()), 240));
        f = f + 1.0f;
        for (float& each : values) each += 1.0f;
        CHECK_SAME(k::load_npy<float>(path("f.npy")).to_host(),
                   k::array<float>(k::transpose(k::from_host(values, {10, 6}))).to_host());
    }
}

TEST_CASE_FIXTURE(in_a_folder,
                  "npy files: create_npy that fails leaves what was there, follows links, and makes no device a file") {
    k::save_npy(path("x.npy"), k::arange<std::int32_t>(10));
    CHECK_THROWS_AS((void)k::create_npy<float>(path("x.npy"), {std::int64_t{1} << 36, 1000}), k::file_error);
    CHECK_THROWS_AS((void)k::create_npy<float>(path("new.npy"), {std::int64_t{1} << 36, 1000}), k::file_error);
    CHECK(k::load_npy<std::int32_t>(path("x.npy")).to_host()[9] == 9);
    CHECK(std::distance(std::filesystem::directory_iterator(path(".")), {}) == 1);

    std::filesystem::create_symlink("there.npy", path("link.npy"));
    k::host_array<float> made = k::create_npy<float>(path("link.npy"), {3});
    made = 2.0f;
    CHECK(std::filesystem::is_symlink(path("link.npy")));
    CHECK(k::load_npy<float>(path("there.npy")).to_host()[2] == 2);

    CHECK(has(said_by([&] { (void)k::create_npy<float>("/dev/null", {3}); }), "no regular file"));
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK(has(said_by([&] { (void)k::create_npy<float>(path("."), {3}); }), "is a folder"));
}

TEST_CASE_FIXTURE(in_a_folder, "npy files: a column-major file, and one that is large for what may be in memory") {
    const std::vector<float> values = noise<float>(60, 13);
    const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (6, 10), }";
    const std::string padded = header + std::string(117 - header.size(), ' ') + '\n';
    std::ofstream(path("f.npy"), std::ios::binary)
        << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(padded.size()) << '\0' << padded
        << std::string(reinterpret_cast<const char*>(values.data()), 240);
    const auto f = k::open_npy<float>(path("f.npy"));
    for (const k::device& on : {k::cpu, tests::far_device()}) {
        const k::scoped_device here(on);
        CHECK_SAME(k::array<float>(f * 2.0f).to_host(),
                   k::array<float>(k::load_npy<float>(path("f.npy")) * 2.0f).to_host());
    }

    const auto resident = [] {
        std::ifstream status("/proc/self/statm");
        std::int64_t all = 0;
        std::int64_t there = 0;
        status >> all >> there;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
        status >>
            there;  // of files alone: what a sanitizer remembers of memory, or keeps of what was freed, is in memory, too
#endif
        return there * 4096;
    };
    constexpr std::int64_t count = 64 << 20;  // 256 MiB
    const tests::changed_variable little("KILN_DEVICE_MEMORY", "16M");
    const k::scoped_device here(k::cpu);
    auto x = k::create_npy<float>(path("x.npy"), {count});
    auto y = k::create_npy<float>(path("y.npy"), {count});
    const std::int64_t before = resident();
    x = k::cast<float>(k::index(k::axis(0))) + k::full<float>({count}, 0.5f);
    y = x * 2.0f;
    CHECK(resident() - before < 64 << 20);
    CHECK(k::all(y == k::cast<float>(k::index(k::axis(0))) * 2.0f + 1.0f).item());
    CHECK(resident() - before < 64 << 20);
}
