// The manual's blocks of code, include/kiln/README.md, section by section: each stands here line by line (a test compares
// them), with what it needs before it and what it promises after it.
#include "require.hpp"

#include <kiln/kiln.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <iostream>
#include <thread>
#include <vector>

namespace k = kiln;

namespace {

using floats = std::vector<float>;

k::array<float> counted(std::initializer_list<std::int64_t> extents) {
    return k::reshape(k::arange<float>(k::shape(extents).size()), k::shape(extents));
}

std::int64_t launches() { return k::counters::now().launches; }

void lent() {
    const k::array<float> m = counted({3});
    k::dlpack::managed_tensor_versioned* managed = k::to_dlpack(k::array<float>(m + 1));
    auto theirs = k::from_dlpack<float>(managed);  // a DLManagedTensor*: given back when nothing reads it any more
    k::array<float> doubled = theirs * 2;          // read where it lies
    auto* const ours = k::to_dlpack(doubled);      // for another library, which calls ours->deleter(ours) in the end
    REQUIRE((doubled.to_host() == floats{2, 4, 6}));
    ours->deleter(ours);
}

void larger_than_the_device() {
    std::vector<double> values{1, 2, 3, 4};
    auto stored = k::create_npy<float>("x.npy", {1000, 500});  // a file as memory
    stored = k::random::uniform<float>({1000, 500}, 1);        // in chunks, straight into it
    const auto x = k::open_npy<float>("x.npy");                // nothing is read but the header
    auto y = k::create_npy<float>("y.npy", x.shape());
    y = (x - k::mean(x, k::axis(0))) * 2;                     // chunks in, kernels, chunks out
    k::array<float> norms = k::sum(x * x, k::axis(1));        // what is small stays on the device
    k::host_array<double> mine(k::wrap(values.data(), {4}));  // memory of yours, no copy
    mine = mine * mine;                                       // written where it is

    const k::array<float> loaded = k::load_npy<float>("x.npy");
    REQUIRE(k::all(loaded == k::random::uniform<float>({1000, 500}, 1)).item());
    const k::array<float> expected = (loaded - k::mean(loaded, k::axis(0))) * 2;
    REQUIRE(k::all(k::load_npy<float>("y.npy") == expected).item());
    REQUIRE(k::all(norms == k::sum(loaded * loaded, k::axis(1))).item());
    REQUIRE((values == std::vector<double>{1, 4, 9, 16}));
    std::remove("x.npy");
    std::remove("y.npy");
}

void files() {
    const k::array<float> m = counted({2, 3});
    k::save_npy("m.npy", m * 2);                                // NumPy's format, for numpy.load
    k::array<float> doubled = k::load_npy<float>("m.npy");      // on the thread's device
    const k::npy_description about = k::describe_npy("m.npy");  // its type and shape, from the header alone
    REQUIRE((doubled.to_host() == floats{0, 2, 4, 6, 8, 10}));
    REQUIRE((about.type == k::element_type::float32 && about.shape == k::shape{2, 3}));
    std::remove("m.npy");
}

void values() {
    std::vector<float> host(6);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
    k::array<float> m = k::from_host<float>(host, {2, 3});
    auto e = m * m + 1;                  // an expression: holds m's values of now, launches nothing
    k::array<float> y = e;               // one kernel, asynchronous
    std::vector<float> h = y.to_host();  // waits, row-major
    REQUIRE((h == floats{1, 2, 5, 10, 17, 26}));
}

void asked() {
    const k::array<float> m = counted({2, 2});
    const float total = k::sum(m * m).item();                // evaluates, waits, copies one element
    const std::vector<float> halves = (m / 2).to_host();     // evaluates into an array that goes again
    const k::shape extents = (m + k::transpose(m)).shape();  // evaluates nothing
    auto corner = (m * m)(k::range(0, 1), 0);                // slices as an array has them; lazy
    std::cout << m << '\n' << m(0) + 0.5f << '\n';
    REQUIRE(total == 14.0f && (halves == floats{0, 0.5f, 1, 1.5f}));
    REQUIRE((extents == k::shape{2, 2}) && (corner.shape() == k::shape{1}));
}

void scalars() {
    const k::array<float> x = counted({4});
    const k::array<int> n = k::arange<int>(4);
    const k::array<std::uint8_t> small = k::full<std::uint8_t>({4}, std::uint8_t{200});
    auto half = x * 0.5;                          // float
    auto more = n * 0.5;                          // double
    auto turned = x * std::complex<float>(0, 1);  // complex64
    auto wrapped = small + 100;                   // uint8: 200 + 100 is 44; small + 300 throws type_error
    static_assert(std::is_same_v<k::value_t<decltype(half)>, float>);
    static_assert(std::is_same_v<k::value_t<decltype(more)>, double>);
    static_assert(std::is_same_v<k::value_t<decltype(turned)>, std::complex<float>>);
    REQUIRE(k::eval(wrapped).to_host()[0] == 44);
    try {
        static_cast<void>(small + 300);
        REQUIRE(false);
    } catch (const k::type_error&) {
    }
}

void broadcasting() {
    const k::array<double> mult = k::reshape(k::arange<double>(20), {4, 5});
    const k::array<double> discount = k::ones<double>({3, 4, 5}) * 0.5;
    const k::array<float> row = counted({3}), column = counted({4});
    k::array<double> cv = mult * discount;                     // (4, 5) * (3, 4, 5) -> (3, 4, 5)
    k::array<float> table = row + column(k::all, k::newaxis);  // (3,) + (4, 1) -> (4, 3)
    REQUIRE((cv.shape() == k::shape{3, 4, 5}) && cv.to_host()[59] == 9.5);
    REQUIRE((table.shape() == k::shape{4, 3}) && table.to_host()[5] == 3.0f);
}

void views() {
    const k::array<float> x = counted({1000});
    const k::array<float> m = counted({4, 4}), u = counted({4, 4}), table = counted({10, 3});
    const k::array<int> which = k::from_host<int>({9, 0, -1}, {3});
    {
        auto a = x(k::range(0, 10));          // a slice; range(begin, end, step) as in Python
        auto b = m(2);                        // row 2: a position drops its axis
        auto c = x(k::all, k::newaxis);       // (1000, 1)
        auto d = k::slice(m + 1, k::all, 0);  // of an expression, what operator() is of an array
        auto e = m + k::transpose(m);         // transpose(m, {1, 0}) and permute name the axes
        auto f = k::flip(x);                  // back to front; flip(m, k::axis(0)), flip(m, k::axes(0, 1)) along those
        auto g = k::diagonal(m);              // (4,)
        auto h = k::broadcast_to(x, {3, 1000});
        REQUIRE((k::eval(a).shape() == k::shape{10}) && b.to_host() == (floats{8, 9, 10, 11}));
        REQUIRE((c.shape() == k::shape{1000, 1}) && k::eval(d).to_host() == (floats{1, 5, 9, 13}));
        REQUIRE(k::eval(e).to_host()[1] == 5.0f && k::eval(f).to_host()[0] == 999.0f);
        REQUIRE((k::eval(g).to_host() == floats{0, 5, 10, 15}) && k::shape_of(h) == (k::shape{3, 1000}));
    }
    {
        auto a = k::shift(u, {1, 0});                      // each element's upper neighbour, 0 past the rim
        auto b = k::shift(u, {0, -1}, k::boundary::wrap);  // also clamp, mirror, constant(7.0f)
        auto c = k::roll(x, 5, k::axis(0));                // around the end
        auto d = k::reshape(x, {10, -1});                  // (10, 100); flatten(m) has one axis
        auto e = k::take(table, which, k::axis(0));        // rows where an integer expression says
        auto f = k::concatenate(k::axis(0), x, x + 1);     // (2000,)
        auto g = k::stack(k::axis(0), x, x + 1);           // (2, 1000)
        REQUIRE(k::eval(a).to_host()[4] == 0.0f && k::eval(a).to_host()[3] == 0.0f);
        REQUIRE(k::eval(b).to_host()[0] == 1.0f && k::eval(b).to_host()[3] == 0.0f);
        REQUIRE(k::eval(c).to_host()[0] == 995.0f && (k::shape_of(d) == k::shape{10, 100}));
        REQUIRE((k::eval(e).to_host() == floats{27, 28, 29, 0, 1, 2, 27, 28, 29}));
        REQUIRE(k::eval(f).size() == 2000 && (k::eval(g).shape() == k::shape{2, 1000}));
    }
}

void lists() {
    const k::array<float> m = counted({4, 4}), x = counted({1000});
    const std::vector<k::range> block = {k::range(0, 2), k::range(1, 4)};
    auto part = m(block);
    std::vector<k::array<float>> states(8, k::array<float>(x * 0.5f));
    k::array<float> history = k::stack(k::axis(0), states);  // (8, 1000): an array, one kernel for each part
    REQUIRE((part.to_host() == floats{1, 2, 3, 5, 6, 7}));
    REQUIRE((history.shape() == k::shape{8, 1000}) && history(7, 999).item() == 499.5f);
}

void made_in_the_kernel() {
    const k::array<float> m = counted({3, 3});
    k::array<float> lower = k::where(k::index(0) >= k::index(1), m, 0.0f);
    k::array<float> grid = k::linspace(0.0f, 1.0f, 5) * 2 + k::eye<float>(5);
    REQUIRE((lower.to_host() == floats{0, 0, 0, 3, 4, 0, 6, 7, 8}));
    REQUIRE(grid.to_host()[24] == 3.0f);
}

void random_numbers() {
    k::array<float> x = k::random::uniform<float>({1'000'000}, /*seed=*/7);
    k::array<double> z = k::random::normal<double>({1000, 1000}, 8);
    k::array<float> noisy = x + 0.1f * k::random::normal<float>({1'000'000}, 9);  // one kernel, one load
    k::array<std::int32_t> dice = k::random::integers<std::int32_t>({6000}, 1, 7, 10);
    k::array<float> dropped = k::where(k::random::bernoulli({1'000'000}, 0.9, 11), x, 0.0f);
    k::array<std::uint64_t> seed = k::full<std::uint64_t>({}, std::uint64_t{12});
    k::graph walk({&x, &seed}, [&] {  // each step with draws of its own
        x += k::random::normal<float>({1'000'000}, seed);
        seed += std::uint64_t{1};
    });
    REQUIRE(z.size() == 1'000'000 && noisy.size() == 1'000'000);
    const std::vector<float> before = x.to_host();
    for (const float each : before) REQUIRE(each >= 0 && each < 1);
    walk.replay(2);
    REQUIRE(seed.item() == 14);
    REQUIRE(std::abs(x.to_host()[5] - before[5]) < 15.0f);
    REQUIRE(x.to_host()[5] != before[5]);
    for (const std::int32_t each : dice.to_host()) REQUIRE(each >= 1 && each <= 6);
    const auto kept = dropped.to_host();
    const auto zeros = std::count(kept.begin(), kept.end(), 0.0f);
    REQUIRE(zeros > 98'000 && zeros < 102'000);
}

void targets() {
    const k::array<float> x = counted({100});
    k::array<float> y = x * 1;
    std::vector<float> host(100, 2.0f);
    y(k::range(0, 10)) = 0.0f;            // a slice: writes these elements and reads none
    y(y > 50.0f) = 50.0f;                 // a mask: y = where(mask, 50, y), in place
    y(k::range(90, 100)) += 1;            // both take +=, *= and the others
    k::wrap(host.data(), {100}) = x + y;  // memory of yours, host or device
    k::synchronize();                     // before you read it
    REQUIRE(y.to_host()[9] == 0.0f && y.to_host()[10] == 10.0f && y.to_host()[99] == 51.0f);
    REQUIRE(host[99] == 150.0f && host[10] == 20.0f);
}

void strided_memory() {
    std::vector<float> matrix(6);
    k::wrap(matrix.data(), {2, 3}, k::column_major) = k::ones<float>({2, 3});  // as Fortran and LAPACK have it
    auto every_second = k::wrap(matrix.data(), {3}, {2});
    every_second(k::range(0, 2)) = 5.0f;  // a slice of such memory, read and written through
    k::synchronize();
    REQUIRE((matrix == floats{5, 1, 5, 1, 1, 1}));
}

void threads() {
    const k::array<float> x = counted({100});
    k::array<float> twice;
    std::thread other([&x, &twice] { twice = x * 2; });  // x may be read by any number of threads
    k::array<float> thrice = x * 3;
    other.join();
    REQUIRE(twice.to_host()[9] == 18.0f && thrice.to_host()[9] == 27.0f);
}

void several_outputs() {
    const k::array<float> x = counted({100}), y = x * 2;
    const std::int64_t before = launches();
    auto [sum, difference] = k::eval(x + y, x - y);
    REQUIRE(launches() == before + 1);
    REQUIRE(sum.to_host()[9] == 27.0f && difference.to_host()[9] == -9.0f);

    // Rows of two numbers, of which the second is far below the first: shares of 1 and 0.
    const k::array<float> m = k::from_host<float>({200, 0, 200, 0}, {2, 2});
    const auto below = m - k::logsumexp(m, k::axis(1), k::keep_dims);
    auto [losses, shares] = k::eval(-k::sum(below, k::axis(1), k::keep_dims) * 0.5f, k::exp(below));
    REQUIRE((losses.shape() == k::shape{2, 1}) && losses.to_host()[1] == 100.0f);
    REQUIRE((shares.shape() == k::shape{2, 2}) && shares.to_host()[2] == 1.0f && shares.to_host()[3] == 0.0f);
}

void reductions() {
    const k::array<float> x = counted({5});
    const k::array<float> m = k::reshape(counted({6}), {2, 3});
    k::array<float> total = k::sum(x * x);                            // of all elements: rank 0
    float number = total.item();                                      // waits, copies 4 bytes
    k::array<float> rows = k::mean(m, k::axis(1));                    // the axis goes
    k::array<float> unit = m / k::norm(m, k::axis(1), k::keep_dims);  // it stays with extent 1, and so broadcasts
    k::array<std::int64_t> where = k::argmax(m, k::axis(-1));
    k::array<bool> fine = k::all(k::isfinite(m), k::axes(0, 1));
    auto [low, high, sum_of_all] = k::eval(k::min(x), k::max(x), k::sum(x));  // one pass over x
    REQUIRE(number == 30.0f && total.shape() == k::shape{});
    REQUIRE((rows.to_host() == std::vector<float>{1, 4}));
    REQUIRE(unit.to_host()[1] == 1.0f / std::sqrt(5.0f));
    REQUIRE((where.to_host() == std::vector<std::int64_t>{2, 2}) && fine.item());
    REQUIRE(low.item() == 0.0f && high.item() == 4.0f && sum_of_all.item() == 10.0f);
}

void reductions_of_the_first_page() {
    const k::array<float> x = counted({5}), y = x * 2;
    k::array<float> s = k::sum((x - y) * (x - y));     // one kernel; no temporary
    k::array<float> z = x / k::norm(x);                // no copy to the host, no wait
    auto [low, high] = k::eval(k::min(x), k::max(x));  // one pass
    REQUIRE(s.item() == 30.0f && low.item() == 0.0f && high.item() == 4.0f);
    REQUIRE(z.to_host()[0] == 0.0f);
}

void in_place() {
    k::array<float> y = counted({4});
    k::array<float> before = y;  // shares y's buffer: O(1)
    y += 1;                      // so this takes a buffer of its own; before keeps its values
    y = y * y + y;               // nobody shares now: in place
    y = k::shift(y, {1}) + y;    // reads neighbours: through a new buffer, and right
    auto e = y + 1;              // a stored expression holds y's values, and so its buffer
    y = e * 2;
    REQUIRE((before.to_host() == floats{0, 1, 2, 3}));
    REQUIRE((k::eval(e).to_host() == floats{3, 9, 19, 33}));
    REQUIRE((y.to_host() == floats{6, 18, 38, 66}));
}

void user_functions() {
    if (!k::current_device().describe().compiles) return;  // a function of the user's is C++
    const k::array<float> x = counted({100}) * 0.01f, z = k::sqrt(x);
    auto logaddexp =
        k::function<float(float, float)>("logaddexp", {"a", "b"}, "return fmaxf(a, b) + log1pf(expf(-fabsf(a - b)));");
    auto norm = k::function<float(std::complex<float>)>("norm", {"c"}, "return c.re * c.re + c.im * c.im;");
    k::array<float> y = logaddexp(x, z) * k::constant<2> - norm(x + z * std::complex<float>(0, 1));
    const auto xs = x.to_host(), zs = z.to_host(), ys = y.to_host();
    for (std::size_t i = 0; i < ys.size(); ++i) {
        const float sum = std::fmax(xs[i], zs[i]) + std::log1p(std::exp(-std::fabs(xs[i] - zs[i])));
        REQUIRE(std::fabs(ys[i] - (sum * 2 - (xs[i] * xs[i] + zs[i] * zs[i]))) < 1e-5f);
    }
}

void assumptions() {
    const k::array<float> x = counted({100}) * 0.01f;
    k::array<float> z;
    const auto distance = k::assume(x * x + 0.01f, 0.01, 100);  // no value is below, above or NaN
    z = 1.0f / (distance * k::sqrt(distance));
    REQUIRE(z.to_host()[0] == 1.0f / (0.01f * std::sqrt(0.01f)));
}

void options() {
    const k::array<float> x = counted({100}), y = x + 1;
    auto e = x * y + x;
    k::array<float> fast, apart;
    {
        k::scoped_options allowed({.fast_math = true});
        fast = k::exp(x * -0.1f) / y;
    }
    {
        k::scoped_options off({.fuse = false});
        apart = e;  // one kernel per operator, the same bits
    }
    REQUIRE(std::fabs(fast.to_host()[10] - std::exp(-1.0f) / 11) < 1e-4f);
    REQUIRE(apart.to_host() == k::eval(e).to_host());
}

void run_time_graphs() {
    const k::array<float> x = counted({100}) * 0.01f;
    const std::vector<k::array<float>> coefficients(5, k::array<float>(k::ones<float>({100})));
    k::expr<float> poly = coefficients.back();
    for (auto i = coefficients.size() - 1; i-- > 0;) poly = poly * x + coefficients[i];
    k::array<float> p = poly;  // one kernel
    REQUIRE(p.to_host()[0] == 1.0f);
}

void costs() {
    const k::array<float> x = counted({100});
    k::array<float> y;
    auto e = x * x + 1;
    std::puts(k::to_string(k::explain(e)).c_str());  // kernels, source, bytes, whether compiled yet
    k::prepare(k::label("square", e));               // compile or load now, launch nothing; kiln-cache shows the label
    const k::counters before = k::counters::now();
    y = e;
    const k::counters spent = k::counters::now() - before;  // .launches, .compiles, .compile_ns, .bytes_read, ...
    REQUIRE(spent.launches == 1 && spent.compiles == 0);
}

void errors() {
    const k::array<float> x = counted({3}), m = counted({4, 4});
    std::string said;
    try {
        k::array<float> sum = x + m;
    } catch (const k::shape_error& trouble) {
        said = trouble.what();  // names both shapes
    }
    REQUIRE(said.find("(3,)") != std::string::npos && said.find("(4, 4)") != std::string::npos);
}

}  // namespace

int main() {
    values();
    lent();
    files();
    larger_than_the_device();
    asked();
    scalars();
    broadcasting();
    views();
    lists();
    made_in_the_kernel();
    random_numbers();
    targets();
    strided_memory();
    threads();
    several_outputs();
    reductions();
    reductions_of_the_first_page();
    in_place();
    user_functions();
    assumptions();
    options();
    run_time_graphs();
    costs();
    errors();
}
