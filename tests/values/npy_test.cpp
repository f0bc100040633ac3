// k::load_npy, k::save_npy: bytes that NumPy 2.4 wrote, files that are damaged, disks that are full.
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/processes.hpp>

#include <api/whole_file.hpp>
#include <kiln/kiln.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace k = kiln;

namespace {

using namespace std::string_literals;

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A file of version 1 with this dictionary, padded as NumPy pads it.
std::string file_of(const std::string& dictionary, const std::string& elements) {
    std::string text = dictionary;
    while ((10 + text.size() + 1) % 64) text += ' ';
    text += '\n';
    return "\x93NUMPY\x01\x00"s + static_cast<char>(text.size() & 255) + static_cast<char>(text.size() >> 8) + text +
           elements;
}

std::string dictionary(const std::string& type, const std::string& shape, bool column_major = false) {
    return "{'descr': '" + type + "', 'fortran_order': " + (column_major ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

template <class T>
std::string bytes_of(const std::vector<T>& elements) {
    return {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T)};
}

struct in_a_folder {
    tests::temporary_folder folder;
    std::string path = folder.path() + "/x.npy";

    [[nodiscard]] std::size_t files() const {
        const std::filesystem::directory_iterator all(folder.path());
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }
};

template <class T>
void check_round_trip(const std::string& path, const k::array<T>& x) {
    k::save_npy(path, x);
    const k::npy_description header = k::describe_npy(path);
    CHECK(header.type == k::type_of<T>);
    CHECK((header.shape == x.shape()));
    CHECK(header.data_offset % 64 == 0);
    const k::array<T> back = k::load_npy<T>(path);
    CHECK((back.shape() == x.shape()));
    CHECK(tests::difference(back.to_host(), x.to_host()) == "");
}

/// What load_npy says of a file.
template <class T = float>
std::string trouble(const std::string& path) {
    try {
        (void)k::load_npy<T>(path);
    } catch (const k::error& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE_FIXTURE(in_a_folder, "npy: a file of floats is NumPy's to the byte") {
    k::save_npy(path, k::reshape(k::arange<float>(6), {2, 3}));
    const std::string expected = file_of(dictionary("<f4", "(2, 3)"), bytes_of<float>({0, 1, 2, 3, 4, 5}));
    CHECK(content_of(path) == expected);
    CHECK(files() == 1);
}

TEST_CASE_FIXTURE(in_a_folder, "npy: every element type and rank goes to a file and back") {
    const k::array<float> x = k::reshape(k::arange<float>(24) - 7.5f, {2, 3, 4});
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    check_round_trip<type>(path, k::cast<type>(x));           \
    check_round_trip<type>(path, k::zeros<type>({3, 0}));     \
    check_round_trip<type>(path, k::ones<type>({}));
#include <kiln/element_type.def>
    check_round_trip<float>(path, k::from_host<float>({NAN, -INFINITY, -0.0f, 1e-45f}));
    check_round_trip<int>(path, k::ones<int>({1, 1, 2, 1, 1, 1, 1, 3}));
    k::save_npy(path, k::transpose(k::reshape(k::arange<int>(6), {2, 3})));  // an expression
    CHECK(k::load_npy<int>(path).to_host() == std::vector<int>{0, 3, 1, 4, 2, 5});
}

TEST_CASE_FIXTURE(in_a_folder, "npy: what takes more than one part to copy") {
    const k::array<std::int64_t> x = k::arange<std::int64_t>((5 << 20) + 13) * 3;
    k::save_npy(path, x);
    CHECK(k::all(k::load_npy<std::int64_t>(path) == x).item());
    std::string bytes = content_of(path);
    bytes[bytes.find('<')] = '>';
    for (auto at = bytes.end() - x.size() * 8; at != bytes.end(); at += 8) std::reverse(at, at + 8);
    write(path, bytes);
    CHECK(k::describe_npy(path).big_endian);
    CHECK(k::all(k::load_npy<std::int64_t>(path) == x).item());
}

TEST_CASE_FIXTURE(in_a_folder, "npy: column-major, big-endian, versions 2 and 3, and headers as others write them") {
    // numpy.save of numpy.asfortranarray(numpy.arange(6, dtype='>i2').reshape(2, 3))
    write(path, file_of(dictionary(">i2", "(2, 3)", true), "\0\0\0\3\0\1\0\4\0\2\0\5"s));
    CHECK(k::describe_npy(path).column_major);
    CHECK(k::load_npy<short>(path).to_host() == std::vector<short>{0, 1, 2, 3, 4, 5});
    write(path, file_of(dictionary("<i1", "(2, 3, 2)", true), "\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b"s));
    CHECK(k::load_npy<std::int8_t>(path).to_host() == std::vector<std::int8_t>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
    write(path, file_of(dictionary(">c16", "(1,)"), "\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0"s));
    CHECK(k::load_npy<std::complex<double>>(path).item() == std::complex<double>(1, 2));
    write(path, "\x93NUMPY\x02\x00\x37\x00\x00\x00{'descr': '|u1', 'fortran_order': False, 'shape': (3,)}\0\1\2"s);
    CHECK(trouble<std::uint8_t>(path) == "");
    CHECK(k::load_npy<std::uint8_t>(path).to_host() == std::vector<std::uint8_t>{0, 1, 2});
    write(path, file_of("{ \"shape\":(2L,) ,\"fortran_order\" :False,\n'descr':'f2'}", "\0\x3c\0\x40"s));
    CHECK(k::load_npy<k::float16>(path).to_host() == std::vector<k::float16>{k::float16(1), k::float16(2)});
    // numpy.save of ml_dtypes.bfloat16
    write(path, file_of(dictionary("<V2", "(2,)"), "\x80\x3f\0\x40"s));
    CHECK(k::load_npy<k::bfloat16>(path).to_host() == std::vector<k::bfloat16>{k::bfloat16(1), k::bfloat16(2)});
    write(path, file_of(dictionary("|b1", "(3,)"), "\0\1\xff"s));
    CHECK(k::sum(k::cast<int>(k::load_npy<bool>(path))).item() == 2);
    // What follows the array is not its business: numpy.save twice into one file.
    write(path, file_of(dictionary("<i4", "()"), "\5\0\0\0"s) + "more");
    CHECK(k::load_npy<int>(path).item() == 5);
}

TEST_CASE_FIXTURE(in_a_folder, "npy: errors name the file and what is wrong with it") {
    const auto says = [&](const std::string& bytes, const char* what) {
        write(path, bytes);
        const std::string said = trouble(path);
        CAPTURE(said);
        CHECK(said.find(path) != std::string::npos);
        CHECK(said.find(what) != std::string::npos);
    };
    says("", "does not begin as a .npy file");
    says("PK\3\4 an archive", "an archive of several (.npz)");
    says("KP\3\4 something", "does not begin as a .npy file");
    says("\x93NUMPY\x04\x00\x10\x00\x00\x00"s, "version 4.0");
    says("\x93NUMPY\x01"s, "within its first 8 bytes");
    says("\x93NUMPY\x01\x00\x76"s, "within its first 10 bytes");
    says("\x93NUMPY\x01\x00\x76\x00{'descr'"s, "truncated");
    says("\x93NUMPY\x02\x00\xff\xff\xff\xff{"s, "4294967295 bytes");
    says(file_of(dictionary("|O", "(1,)"), "12345678"), "Python objects");
    says(file_of(dictionary("<U5", "(1,)"), "12345678"), "strings");
    says(file_of(dictionary("<M8[ns]", "(1,)"), "12345678"), "dates");
    says(file_of(dictionary("<f16", "(1,)"), "12345678"), "'<f16'");
    says(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"), "records");
    says(file_of(dictionary("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)"), "1234"), "more than 8 axes");
    says(file_of(dictionary("<f4", "(-1,)"), "1234"), "an extent of -1");
    says(file_of(dictionary("<f4", "(1)"), "1234"), "','");
    says(file_of(dictionary("<f4", "(01,)"), "1234"), "begins with 0");
    says(file_of(dictionary("<f4", "(9223372036854775807,)"), "1234"), "more than 2^63-1 bytes");
    says(file_of(dictionary("<f4", "(9223372036854775808,)"), "1234"), "past 2^63-1");
    says(file_of(dictionary("<f4", "(4294967296, 4294967296)"), "1234"), "2^63-1");
    says(file_of(dictionary("<f4", "(2, 3)"), "1234567"), "(2, 3) take 24 bytes, and 7 are there");
    says(file_of(dictionary("<f4", "(2, 3"), ""), "no number");
    says(file_of(dictionary("<f4", "2"), ""), "no '('");
    says(file_of("{'descr': '<f4', 'shape': (2,)}", "12345678"), "lacks one of");
    says(file_of("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}", "12345678"), "neither True nor False");
    says(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", "12345678"), "says 'x'");
    says(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1", "12345678"), "goes on");
    CHECK_THROWS_WITH_AS((void)k::load_npy<float>(folder.path() + "/none.npy"),
                         ("kiln: cannot open " + folder.path() + "/none.npy: No such file or directory").c_str(),
                         k::file_error);
    CHECK_THROWS_AS((void)k::load_npy<float>(folder.path()), k::file_error);
    write(path, file_of(dictionary("<f8", "(2,)"), "1234567812345678"));
    CHECK_THROWS_WITH_AS((void)k::load_npy<float>(path),
                         ("kiln: load_npy: " + path + " holds float64 of shape (2,), not float32").c_str(),
                         k::type_error);
}

TEST_CASE_FIXTURE(in_a_folder, "npy: damaged files are refused or read, and nothing else") {
    const std::string good = file_of(dictionary("<f4", "(2, 3)"), bytes_of<float>({0, 1, 2, 3, 4, 5}));
    std::mt19937 random(7);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string bad = good;
        for (unsigned changes = random() % 3 + 1; changes; --changes) bad[random() % 80] = static_cast<char>(random());
        if (random() % 4 == 0) bad.resize(random() % bad.size());
        write(path, bad);
        refused += !trouble(path).empty();  // anything else than a k::error ends the test
    }
    CHECK(refused > 1000);
}

TEST_CASE_FIXTURE(in_a_folder, "npy: a file that cannot be written whole leaves the one before, and no other") {
    k::save_npy(path, k::ones<float>({3}));
    const std::string before = content_of(path);
    CHECK_THROWS_AS(k::save_npy(folder.path() + "/none/x.npy", k::ones<float>({3})), k::file_error);
    // As on a full disk.
    const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old_limit{};
    getrlimit(RLIMIT_FSIZE, &old_limit);
    rlimit small = old_limit;
    small.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &small);
    std::string said;
    try {
        k::save_npy(path, k::zeros<float>({100'000}));
    } catch (const k::file_error& e) {
        said = e.what();
    }
    setrlimit(RLIMIT_FSIZE, &old_limit);
    std::signal(SIGXFSZ, old_action);
    CHECK(said == "kiln: cannot write " + path + ": File too large");
    CHECK(content_of(path) == before);
    CHECK(files() == 1);
    // A link stays one, and who may read the file does not change.
    std::filesystem::create_symlink("x.npy", folder.path() + "/link.npy");
    chmod(path.c_str(), 0640);
    k::save_npy(folder.path() + "/link.npy", k::zeros<float>({2}));
    CHECK(std::filesystem::is_symlink(folder.path() + "/link.npy"));
    CHECK(k::load_npy<float>(path).size() == 2);
    CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
    CHECK(files() == 2);
    // So does one to what is not there yet.
    std::filesystem::create_symlink("new.npy", folder.path() + "/second.npy");
    k::save_npy(folder.path() + "/second.npy", k::zeros<float>({3}));
    CHECK(std::filesystem::is_symlink(folder.path() + "/second.npy"));
    CHECK(k::load_npy<float>(folder.path() + "/new.npy").size() == 3);
    CHECK(files() == 4);
}

TEST_CASE_FIXTURE(in_a_folder, "npy: nothing is left of a file whose writer is killed") {
    const kiln::compile::descriptor nameless(::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
    if (!nameless) {
        MESSAGE("skipped: no files without a name here");
        return;
    }
    write(path, "before");
    CHECK(tests::in_child([&] {
              kiln::detail::output_file file(path);
              file.expect(1 << 20);
              file.write("half", 4);
              return ::raise(SIGKILL);
          }) == -SIGKILL);
    CHECK(files() == 1);
    CHECK(content_of(path) == "before");
}

TEST_CASE_FIXTURE(in_a_folder, "npy: through a pipe") {
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] { k::save_npy(path, k::arange<int>(100'000)); });
    const k::array<int> read = k::load_npy<int>(path);
    writer.join();
    CHECK(k::all(read == k::arange<int>(100'000)).item());
}
