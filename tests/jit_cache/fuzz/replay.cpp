// tests/jit_cache/fuzz/replay FOLDER...: every file below the folders through the fuzzer's properties, where there is no
// libFuzzer. Aborts as the fuzzer would.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" {

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// What the mutator calls, which nothing here does.
std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t size, std::size_t) { return size; }

}  // extern "C"

int main(int count, char** folders) {
    int files = 0;
    for (int i = 1; i < count; ++i) {
        for (const auto& each : std::filesystem::recursive_directory_iterator(folders[i])) {
            if (!each.is_regular_file()) continue;
            std::ifstream in(each.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(in), {}};
            std::printf("%s\n", each.path().c_str());
            std::fflush(stdout);  // the last one named is the one that failed
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++files;
        }
    }
    std::printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
