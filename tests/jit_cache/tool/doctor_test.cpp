// tests/jit_cache/tool/doctor: doctor: what is wrong is found, and what is not wrong is not.
#include "tool_support.hpp"

#include <jit_cache/trust.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>

using namespace support;

namespace {

// Settings under which a machine without GPU or compiler has nothing wrong with it.
const std::vector<std::string> interpreting{"KILN_DEVICE=cpu", "KILN_CPU=interpret", "TMPDIR="};

json doctor_json(const fs::path& directory, int exit_code, std::vector<std::string> environment = {}) {
    environment.insert(environment.begin(), interpreting.begin(), interpreting.end());
    return tool_json(directory, {"doctor"}, exit_code, environment);
}

finished doctor(const fs::path& directory, std::vector<std::string> environment = {}) {
    environment.insert(environment.begin(), interpreting.begin(), interpreting.end());
    return tool(directory, {"doctor"}, environment);
}

bool any_holds(const json& list, std::string_view part) {
    for (const json& each : list)
        if (holds(each.get<std::string>(), part)) return true;
    return false;
}

json setting_of(const json& said, const std::string& name) {
    for (const json& each : said["settings"])
        if (each["name"] == name) return each;
    return {};
}

}  // namespace

TEST_CASE("doctor finds nothing wrong with a healthy folder") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    const finished ended = doctor(folder.cache());
    CHECK(ended.exit_code == 0);
    CHECK(ended.output.ends_with("\nnothing is wrong\n"));
    CHECK(holds(ended.output, "read and write this folder"));
    const json said = doctor_json(folder.cache(), 0);
    CHECK(said["problems"].empty());
    CHECK(said["folder"]["path"] == folder.cache().string());
    CHECK(said["folder"]["exists"] == true);
    CHECK(said["folder"]["ignored_because"].is_null());
    CHECK(said["folder"]["owner_uid"] == ::geteuid());
    CHECK(said["folder"]["mode"] == "0700");
    CHECK(said["folder"]["entries"] == 1);
    CHECK(said["folder"]["has_tag"] == true);
    CHECK(said["raised_privileges"] == false);
}

TEST_CASE("doctor says what the folder lies on, and how much room there is") {
    const temporary_folder folder;
    const json on = doctor_json(folder.cache(), 0)["folder"];
    struct ::statvfs room {};
    REQUIRE(::statvfs(folder.path().c_str(), &room) == 0);
    const double free_bytes = static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize);
    CHECK(on["free_bytes"].get<double>() == doctest::Approx(free_bytes).epsilon(0.05));
    CHECK(on["mounted_read_only"] == false);
    if (folder.path().string().starts_with("/dev/shm")) {
        CHECK(on["file_system"] == "tmpfs");
        CHECK(on["mount_point"] == "/dev/shm");
    }
    CHECK(on["exists"] == false);
    CHECK(holds(doctor(folder.cache()).output, "will make this folder"));
    CHECK_FALSE(fs::exists(folder.cache()));
}

TEST_CASE("case 27: doctor says why programs ignore a folder") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    REQUIRE(::chmod(folder.cache().c_str(), 0777) == 0);
    const json shared = doctor_json(folder.cache(), 1);
    CHECK(holds(shared["folder"]["ignored_because"].get<std::string>(), "mode 0777"));
    CHECK(any_holds(shared["problems"], "programs ignore this folder because"));
    const std::vector<std::string> lines = lines_of(doctor(folder.cache()).output);
    CHECK(lines.back().starts_with("wrong: programs ignore this folder because owner uid"));
    REQUIRE(::chmod(folder.cache().c_str(), 0700) == 0);
    fs::create_directory_symlink(folder.cache(), folder.path() / "link");
    CHECK(holds(doctor(folder.path() / "link").output, "symbolic link"));
    overwrite(folder.path() / "file", "");
    CHECK(doctor(folder.path() / "file").exit_code == 1);
    CHECK(holds(doctor(folder.path() / "file").output, "it is not a folder"));
}

TEST_CASE("doctor counts damaged entries, those that others can write, and those from the future") {
    const temporary_folder folder;
    for (int number = 0; number < 4; ++number) put(folder.cache(), key_of(number), full_artifact());
    set_last_use(file_of(folder.cache(), 0), now_s() + 10 * 86'400);
    const json future = doctor_json(folder.cache(), 0);
    CHECK(future["folder"]["from_the_future"] == 1);
    CHECK(holds(doctor(folder.cache()).output, "a clock is or was wrong"));
    overwrite(file_of(folder.cache(), 1), "");
    REQUIRE(::chmod(file_of(folder.cache(), 2).c_str(), 0660) == 0);
    overwrite(folder.cache() / "notes", "mine");
    overwrite(file_of(folder.cache(), 0).parent_path() / temporary_of(dead_process(), 1), "");
    const json said = doctor_json(folder.cache(), 1);
    CHECK(said["folder"]["damaged"] == 1);
    CHECK(said["folder"]["ignored"] == 1);
    CHECK(said["folder"]["foreign"] == 1);
    CHECK(said["folder"]["stale_temporaries"] == 1);
    CHECK(any_holds(said["problems"], "1 entry is damaged"));
    CHECK(any_holds(said["problems"], "mode 0660"));
    CHECK(said["problems"].size() == 2);
}

TEST_CASE(
    "case 27: doctor names each shard that others can write, here and in read-only folders, and says what to do") {
    const temporary_folder folder;
    const fs::path shipped = folder.path() / "shipped";
    for (const fs::path& each : {folder.cache(), shipped}) {
        put(each, key_of(1), full_artifact());
        put(each, key_of(2), full_artifact());
        REQUIRE(file_of(each, 1).parent_path() != file_of(each, 2).parent_path());
        REQUIRE(::chmod(file_of(each, 1).parent_path().c_str(), 0777) == 0);
    }
    const std::vector<std::string> environment{"KILN_CACHE_READONLY=" + shipped.string()};
    const json said = doctor_json(folder.cache(), 1, environment);
    CHECK(said["problems"].size() == 2);
    for (const json& in : {said["folder"], said["read_only_folders"][0]}) {
        CHECK(in["entries"] == 2);
        CHECK(in["ignored"] == 1);
        REQUIRE(in["ignored_shards"].size() == 1);
        CHECK(in["ignored_shards"][0]["entries"] == 1);
        CHECK(holds(in["ignored_shards"][0]["why"].get<std::string>(), "mode 0777"));
    }
    const std::string own = file_of(folder.cache(), 1).parent_path().string();
    const std::string theirs = file_of(shipped, 1).parent_path().string();
    CHECK(said["folder"]["ignored_shards"][0]["path"] == own);
    CHECK(any_holds(said["problems"], "programs ignore " + own + " with 1 entry: owner uid"));
    CHECK(any_holds(said["problems"], "delete that folder, and its kernels are made again"));
    CHECK(any_holds(said["problems"], "programs ignore " + theirs + " with 1 entry: owner uid"));
    CHECK(any_holds(said["problems"], "unpack that folder anew"));
    // And so they do.
    warnings warned;
    CHECK(ask_anew(folder.cache(), warned, 1).from == jit_cache::origin::made);
    CHECK(warned.name(own));
}

TEST_CASE("doctor says that it has read no binaries and started no compiler") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    std::string bytes = contents(file_of(folder.cache(), 1));
    bytes[bytes.size() - 20] ^= 1;
    overwrite(file_of(folder.cache(), 1), bytes);
    write_script(folder.path() / "c++", "#!/bin/sh\n: > \"${0%/*}/started\"\n");
    const finished ended = doctor(folder.cache(), {"PATH=" + folder.path().string(), "KILN_CXX=", "CXX="});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "headers, keys and facts were read; 'kiln-cache verify' reads binaries, too"));
    CHECK(holds(ended.output, "/c++ (c++), found and not started"));
    CHECK_FALSE(fs::exists(folder.path() / "started"));
    CHECK(tool(folder.cache(), {"verify"}).exit_code == 1);
}

TEST_CASE("a relative folder that is not there yet is no fault: programs make it") {
    const temporary_folder folder;
    const std::string tool = tool_path();
    const std::string script = "cd \"$1\" && exec \"$0\" doctor";
    for (const char* relative : {"new", "./new/", "new/er"}) {
        CAPTURE(relative);
        std::vector<std::string> environment = interpreting;
        environment.push_back(std::string("KILN_CACHE_DIR=") + relative);
        const finished ended = run({"/bin/sh", "-c", script, tool, folder.path().string()}, environment);
        CHECK(ended.exit_code == 0);
        CHECK(holds(ended.output, "will make this folder"));
    }
    const std::string trouble = in_child([&]() -> std::string {
        fs::current_path(folder.path());
        warnings said;
        static_cast<void>(ask_anew("new/er", said, 1));
        return fs::exists(file_of(folder.path() / "new/er", 1)) && said.count() == 0 ? "" : "programs make no folder";
    });
    CHECK(trouble == "");
}

TEST_CASE("doctor says where no folder can be made, whoever asks") {
    const std::string where = "/proc/no-such-folder/kiln";
    const json said = doctor_json(where, 1);
    REQUIRE(said["problems"].size() == 1);
    CHECK(any_holds(said["problems"], "programs cannot make this folder because /proc"));
    if (!is_root()) return;
    CHECK(holds(said["folder"]["not_written_because"].get<std::string>(), "the kernel's own file system"));
    warnings warned;
    CHECK(ask_anew(where, warned, 1).from == jit_cache::origin::made);
    CHECK(warned.name("binaries are kept in memory only"));
}

TEST_CASE("doctor says who named the folder, and that there is none") {
    const temporary_folder folder;
    const auto without_dir = [&](std::vector<std::string> environment) {
        environment.insert(environment.end(), interpreting.begin(), interpreting.end());
        return run({tool_path(), "doctor"}, environment);
    };
    CHECK(holds(without_dir({"KILN_CACHE_DIR=" + folder.cache().string()}).output, "(KILN_CACHE_DIR)"));
    CHECK(holds(without_dir({"XDG_CACHE_HOME=" + folder.path().string()}).output,
                folder.path().string() + "/kiln (XDG_CACHE_HOME)"));
    CHECK(
        holds(without_dir({"HOME=" + folder.path().string()}).output, folder.path().string() + "/.cache/kiln (HOME)"));
}

TEST_CASE("case 19: doctor looks at the read-only folders, too") {
    const temporary_folder folder;
    const fs::path good = folder.path() / "good";
    const fs::path shared = folder.path() / "shared";
    for (const fs::path& each : {good, shared}) put(each, key_of(1), full_artifact());
    REQUIRE(::chmod(shared.c_str(), 0777) == 0);
    const fs::path missing = folder.path() / "missing";
    const json fine = doctor_json(folder.cache(), 0, {"KILN_CACHE_READONLY=" + good.string()});
    REQUIRE(fine["read_only_folders"].size() == 1);
    CHECK(fine["read_only_folders"][0]["entries"] == 1);
    CHECK(fine["read_only_folders"][0]["ignored_because"].is_null());
    const json said = doctor_json(
        folder.cache(), 1, {"KILN_CACHE_READONLY=" + good.string() + ":" + shared.string() + "::" + missing.string()});
    CHECK(said["read_only_folders"].size() == 3);
    CHECK(said["problems"].size() == 2);
    CHECK(any_holds(said["problems"], "programs ignore " + shared.string() + " because"));
    CHECK(any_holds(said["problems"], "programs ignore " + missing.string() + " because there is no such folder"));
}

TEST_CASE("doctor prints every setting with its value and where it came from, and holds values to what is taken") {
    const temporary_folder folder;
    const json plain = doctor_json(folder.cache(), 0);
    CHECK(setting_of(plain, "KILN_CPU")["value"] == "interpret");
    CHECK(setting_of(plain, "KILN_CPU")["from"] == "environment");
    CHECK(setting_of(plain, "KILN_LOG")["value"].is_null());
    CHECK(setting_of(plain, "KILN_LOG")["from"] == "default");
    CHECK(setting_of(plain, "KILN_LOG")["default"] == "warning");
    struct value {
        const char* setting;
        bool is_taken;
    };
    for (const value each : {value{"KILN_DEVICE=cuda:12", true},
                             {"KILN_DEVICE=gpu", false},
                             {"KILN_DEVICE=cuda:x", false},
                             {"KILN_DEVICE=cuda:-1", false},
                             {"KILN_CPU=fast", false},
                             {"KILN_CPU_THREADS=8", true},
                             {"KILN_CPU_THREADS=many", false},
                             {"KILN_CPU_THREADS=0", false},
                             {"KILN_CPU_THREADS=4096", true},
                             {"KILN_CPU_THREADS=4097", false},
                             {"KILN_COMPILE=never", true},
                             {"KILN_COMPILE=maybe", false},
                             {"KILN_COMPILE_TIMEOUT=60", true},
                             {"KILN_COMPILE_TIMEOUT=-1", false},
                             {"KILN_COMPILE_TIMEOUT=0", false},
                             {"KILN_CACHE_MAX_SIZE=2G", true},
                             {"KILN_CACHE_MAX_SIZE=2X", false},
                             {"KILN_LOG=off", true},
                             {"KILN_LOG=loud\x1b", false}}) {
        CAPTURE(each.setting);
        const std::string name(each.setting, std::string_view(each.setting).find('='));
        const finished ended = doctor(folder.cache(), {each.setting});
        const bool complains = holds(ended.output, "wrong: " + name + "=");
        CHECK(complains != each.is_taken);
        CHECK(is_harmless(ended.output));
        if (complains) CHECK(ended.exit_code == 1);
    }
}

TEST_CASE("doctor names a variable that begins as kiln's do and is none of them") {
    const temporary_folder folder;
    CHECK(doctor_json(folder.cache(), 0)["unread"].empty());
    const json said = doctor_json(folder.cache(), 0, {"KILN_CACHEDIR=/tmp", "KILN_LOGS=info"});
    CHECK(said["unread"] == json::array({"KILN_CACHEDIR", "KILN_LOGS"}));
    CHECK(said["problems"].empty());
    const finished ended = doctor(folder.cache(), {"KILN_CACHEDIR=/tmp"});
    CHECK(holds(ended.output, "is set, and no variable that kiln reads"));
}

TEST_CASE("doctor finds the C++ compiler that kiln would start, or says what was looked for") {
    const temporary_folder folder;
    const fs::path own = folder.path() / "my c++";
    write_script(own, "#!/bin/sh\n");
    const auto compiler = [&](int exit_code, const std::vector<std::string>& environment) {
        return tool_json(folder.cache(), {"doctor"}, exit_code, environment);
    };
    const auto with = [&](const std::string& setting) {
        return std::vector<std::string>{"KILN_DEVICE=cpu", "PATH=" + folder.path().string(), "CXX=", setting};
    };
    // Named whole, blanks and all; and with arguments behind it.
    CHECK(compiler(0, with("KILN_CXX=" + own.string()))["compiler"]["path"] == own.string());
    write_script(folder.path() / "tool", "#!/bin/sh\n");
    CHECK(compiler(0, with("KILN_CXX=tool -m64 -w"))["compiler"]["path"] == (folder.path() / "tool").string());
    CHECK(compiler(0, with("CXX=tool -m64"))["compiler"]["asked"] == "CXX=tool -m64");
    write_script(folder.path() / "g++", "#!/bin/sh\n");
    CHECK(compiler(0, with("KILN_CXX="))["compiler"]["path"] == (folder.path() / "g++").string());
    // KILN_CXX alone where it is set.
    const json missing = compiler(1, with("KILN_CXX=no-such-compiler"));
    CHECK(missing["compiler"]["path"].is_null());
    CHECK(any_holds(missing["problems"], "looked for KILN_CXX=no-such-compiler in PATH"));
    const json nowhere = compiler(1, with("KILN_CXX=/nowhere/g++"));
    CHECK(any_holds(nowhere["problems"], "looked for KILN_CXX=/nowhere/g++ (no such file)"));
    overwrite(folder.path() / "plain", "#!/bin/sh\n");
    REQUIRE(::chmod((folder.path() / "plain").c_str(), 0644) == 0);
    for (const std::string& named : {std::string("plain"), (folder.path() / "plain").string()}) {
        const json plain = compiler(1, with("KILN_CXX=" + named + " -m64"));
        CHECK(holds(plain["compiler"]["refused"].get<std::string>(), "/plain: it is not executable (owner uid"));
        CHECK(any_holds(plain["problems"], "/plain: it is not executable (owner uid"));
    }
    REQUIRE(::chmod(own.c_str(), 0777) == 0);
    const json shared = compiler(1, with("KILN_CXX=" + own.string()));
    CHECK(holds(shared["compiler"]["refused"].get<std::string>(), "mode 0777"));
    fs::remove(folder.path() / "g++");
    CHECK(any_holds(compiler(1, with("KILN_CXX="))["problems"], "looked for c++, g++, clang++ in PATH"));
    CHECK(doctor(folder.cache(), {"PATH=/nowhere", "CXX="}).exit_code == 0);  // an interpreter needs none
}

namespace {

bool is_below_sticky_folder(fs::path folder) {
    for (; folder.has_relative_path(); folder = folder.parent_path())
        if ((fs::status(folder).permissions() & fs::perms::sticky_bit) != fs::perms::none) return true;
    return false;
}

}  // namespace

TEST_CASE("somebody else's compiler is one where KILN_CXX names it, and none where CXX does") {
    const temporary_folder folder(fs::path(tool_path()).parent_path());  // below /tmp all must be one's own
    if (!is_root() || is_below_sticky_folder(folder.path()) ||
        !jit_cache::trust::distrust_program(folder.path().string(), jit_cache::trust::chosen_by::search).empty()) {
        MESSAGE("skipped: needs root and a build folder that only root can write, and not below /tmp");
        return;
    }
    const fs::path theirs = folder.path() / "c++";
    write_script(theirs, "#!/bin/sh\n");
    REQUIRE(::chown(theirs.c_str(), nobody, nobody) == 0);
    const auto compiler = [&](int exit_code, const std::string& setting) {
        return tool_json(folder.cache(), {"doctor"}, exit_code,
                         {"KILN_DEVICE=cpu", "PATH=/nowhere", "CXX=", setting})["compiler"];
    };
    CHECK(compiler(0, "KILN_CXX=" + theirs.string())["path"] == theirs.string());
    const json refused = compiler(1, "CXX=" + theirs.string());
    CHECK(refused["path"].is_null());
    CHECK(holds(refused["refused"].get<std::string>(), "neither root nor uid"));
}

TEST_CASE("doctor says from which folder kernels would be loaded") {
    const temporary_folder folder;
    const fs::path own = folder.path() / "tmp";
    fs::create_directory(own);
    REQUIRE(::chmod(own.c_str(), 0700) == 0);
    const json said = doctor_json(folder.cache(), 0, {"TMPDIR=" + own.string()});
    CHECK(said["temporary_folders"][0]["path"] == own.string());
    CHECK(said["temporary_folders"][0]["not_used_because"].is_null());
    REQUIRE(::chmod(own.c_str(), 0777) == 0);
    const json shared = doctor_json(folder.cache(), 0, {"TMPDIR=" + own.string()});
    CHECK(holds(shared["temporary_folders"][0]["not_used_because"].get<std::string>(), "sticky"));
    CHECK(holds(doctor(folder.cache(), {"TMPDIR=" + own.string()}).output, "passed over: " + own.string()));
    const json missing = doctor_json(folder.cache(), 0, {"TMPDIR=/no/such/folder"});
    CHECK(missing["temporary_folders"][0]["not_used_because"] == "it is not there");
    const json proc = doctor_json(folder.cache(), 0, {"TMPDIR=/proc"});  // mounted, and nobody's to write
    CHECK(proc["temporary_folders"][0]["not_used_because"].is_string());
}

TEST_CASE("where CUDA is asked for and is not there, that is wrong") {
    if (fs::exists("/proc/driver/nvidia")) {
        MESSAGE("skipped: there is a driver here");
        return;
    }
    const temporary_folder folder;
    const json said = tool_json(folder.cache(), {"doctor"}, 1, {"KILN_DEVICE=cuda", "KILN_CPU=interpret"});
    CHECK(any_holds(said["problems"], "KILN_DEVICE asks for CUDA, and there is no libcuda.so.1"));
    CHECK(said["driver"]["path"].is_null());
    CHECK_FALSE(said["driver"]["looked"].empty());
    CHECK(said["driver"]["module_version"].is_null());
}

// AddressSanitizer's leak check cannot look into a set-user-ID process, and calls that an error; qemu-user runs it as whoever starts it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(JIT_CACHE_IS_EMULATED)
TEST_CASE("case 44: with raised privileges no variable counts, and doctor says so") {
    struct ::statvfs volume {};
    const temporary_folder folder(fs::temp_directory_path());  // volumes in memory refuse set-user-ID programs
    if (!is_root() || ::statvfs(folder.path().c_str(), &volume) != 0 || (volume.f_flag & ST_NOSUID) != 0 ||
        holds(contents("/proc/self/status"), "NoNewPrivs:\t1")) {
        MESSAGE("skipped: set-user-ID programs need root and a volume and a container that allow them");
        return;
    }
    const fs::path program = folder.path() / "raised";
    fs::copy_file(tool_path(), program);
    REQUIRE(::chown(program.c_str(), nobody, nobody) == 0);
    REQUIRE(::chmod(program.c_str(), 04755) == 0);
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    const finished ended =
        run({program.string(), "doctor", "--json"}, {"KILN_CACHE_DIR=/tmp", "KILN_LOG=off", "KILN_CXX="});
    CHECK(ended.exit_code == 1);
    const json said = json::parse(ended.output, nullptr, false);
    REQUIRE(said.is_object());
    CHECK(said["raised_privileges"] == true);
    CHECK(said["folder"]["path"].is_null());
    CHECK(setting_of(said, "KILN_CACHE_DIR")["ignored"] == true);
    CHECK(setting_of(said, "KILN_CACHE_DIR")["value"].is_null());
    CHECK(setting_of(said, "KILN_LOG")["ignored"] == true);
    CHECK(setting_of(said, "KILN_CXX")["ignored"] == false);
    CHECK(setting_of(said, "KILN_NVRTC")["ignored"] == false);
    CHECK(holds(run({program.string(), "doctor"}, {"KILN_LOG=off"}).output, "ignored: this program runs with raised"));
}
#endif
