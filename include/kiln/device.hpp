// kiln/device: the devices that are there, and which of them the calling thread is on. An array lives on a device; an
// expression runs where its arrays are, and one without arrays on the thread's.
#pragma once

#include <kiln/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline v0_1 {

enum class device_kind : std::uint8_t { cpu, cuda };

struct device_info {
    std::string name;    // "NVIDIA H200"; for the CPU its model name
    std::string target;  // "sm_90"; "x86-64"
    bool is_cuda = false;
    bool compiles = true;          // false: the interpreter runs the programs
    int unit_count = 0;            // multiprocessors; threads on a CPU
    std::int64_t total_bytes = 0;  // of its memory; of a CPU what this process may have of the machine's
    std::int64_t free_bytes = 0;
};

namespace detail {
struct access;
struct known_device;  // src/capture/known_device.hpp
}  // namespace detail

/// A handle of a device: as cheap to copy and compare as a pointer, valid as long as the process runs.
class device {
public:
    /// "cpu", "cuda:0": what KILN_DEVICE takes.
    [[nodiscard]] KILN_API std::string name() const;
    [[nodiscard]] KILN_API device_kind kind() const noexcept;
    [[nodiscard]] bool is_cuda() const noexcept { return kind() == device_kind::cuda; }
    /// Among those of its kind; of GPUs as CUDA counts them.
    [[nodiscard]] KILN_API int index() const noexcept;
    /// Starts the device if nothing has run there yet; a GPU takes some tenths of a second then. Throws device_error.
    [[nodiscard]] KILN_API device_info describe() const;

    friend bool operator==(const device&, const device&) = default;

private:
    friend detail::access;
    friend class scoped_device;

    explicit constexpr device(detail::known_device* known) noexcept : known_(known) {}

    detail::known_device* known_;
};

/// Its name.
inline std::string to_string(const device& of) { return of.name(); }

/// The CPU: always there.
KILN_API extern const device cpu;

/// A GPU, numbered as CUDA does (CUDA_VISIBLE_DEVICES hides some). Starts nothing but the driver. Throws device_error,
/// saying how many there are, for one that is not; saying what was looked for where there is no driver.
[[nodiscard]] KILN_API device cuda(int index = 0);

/// All that are there: the CPU, then the GPUs. The CPU alone where there is no driver.
[[nodiscard]] KILN_API std::vector<device> devices();

/// The calling thread's. At first that is the first GPU, or the CPU where there is none; KILN_DEVICE=cpu|cuda|cuda:1
/// overrides. Throws device_error where what was asked for is not there.
[[nodiscard]] KILN_API device current_device();

/// { k::scoped_device here(k::cpu); k::array<float> ones = k::ones<float>({10}); }
/// The calling thread is on that device while the object lives, then on the one before. Arrays stay where they are, and
/// expressions of them run there. Costs a store; throws nothing.
class [[nodiscard]] scoped_device {
public:
    [[nodiscard]] explicit scoped_device(device on) noexcept : previous_(exchange(on.known_)) {}
    ~scoped_device() { exchange(previous_); }
    scoped_device(const scoped_device&) = delete;
    scoped_device& operator=(const scoped_device&) = delete;

private:
    KILN_API static detail::known_device* exchange(detail::known_device* next) noexcept;

    detail::known_device* previous_;
};

/// Who holds a device's memory.
struct memory_use_info {
    std::int64_t array_bytes = 0;  // arrays that are alive, and what kernels under way keep between them
    std::int64_t spare_bytes = 0;  // freed, and kept for the next arrays: trim_memory() gives them back
    std::int64_t free_bytes = 0;   // nobody's
    std::int64_t total_bytes = 0;  // of the device; of a CPU what this process may have of the machine's
    // Of the host's memory, with pages locked for this device: host arrays and what passes between others and the device, and what
    // is kept for the next ones.
    std::int64_t locked_bytes = 0;
    std::int64_t spare_locked_bytes = 0;
};

/// "80.0 MB in arrays, 20.0 MB spare, 130.0 GB free of 141.0 GB", and what is locked, if something is.
KILN_API std::string to_string(const memory_use_info& of);

/// k::memory_use(x.device()).array_bytes
/// Starts the device if nothing has run there yet. Throws device_error.
[[nodiscard]] KILN_API memory_use_info memory_use(const device& of = current_device());

/// Gives the spare memory of a device, and of the host with pages locked for it, back to the system, for other libraries and processes.
/// Waits for what runs there. (Where an array finds no room kiln does that by itself, tries again, and throws out_of_memory only then.)
KILN_API void trim_memory(const device& of = current_device());

/// Waits for everything the calling thread's stream on its current device holds; throws device_error for what went
/// wrong there. x.wait() waits for an array, wherever it is.
KILN_API void synchronize();

/// Makes a cudaStream_t (as void*) of the current device the calling thread's stream there; nullptr gives the default
/// stream back. On each device a thread has a stream of its own. The stream must live until another has taken its
/// place. Work on one array from several streams is put in order by kiln. Does nothing on the CPU.
KILN_API void use_stream(void* stream);

}  // namespace kiln::inline v0_1
