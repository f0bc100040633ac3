// kiln-cache/command_line: every command and option, each once, with its example and its exit codes. The manual page
// (kiln-cache.1) and the two completions are held to what stands here by tests/jit_cache/tool/documents_test.cpp.
#include "command_line.hpp"

#include "commands.hpp"
#include "environment.hpp"
#include "output.hpp"
#include "text.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/store.hpp>
#include <jit_cache/trust.hpp>

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace kiln_cache {

namespace {

constexpr const char* summary = "Looks into kiln's folder of compiled kernels, checks it, packs it up and empties it.";

constexpr const char* more_help = R"(Examples:
  kiln-cache ls                             what is there, newest use first
  kiln-cache show 3f2a91c07b --source       a kernel's source text
  kiln-cache why 3f2a91c07b 3f2a91d2e4      in what two kernels differ
  kiln-cache stats                          how full the folder is, and with what
  kiln-cache doctor                         is anything wrong here, and what?
  kiln-cache help show                      a command's options, its example, its exit codes

The folder is $KILN_CACHE_DIR, else $XDG_CACHE_HOME/kiln, else ~/.cache/kiln. Every command works beside running programs,
and needs no GPU.

Exit codes:
  0  fine; a missing or empty folder is fine
  1  what was asked for is not there, or something is not as it should be
  2  usage
)";

constexpr const char* list_help = R"(Example:
  kiln-cache ls --json | jq '.entries[] | select(.compile_ms > 100) | .label'

Exit codes: 0 fine; 1 broken entries are there (named on stderr), or the folder cannot be read; 2 usage)";

constexpr const char* show_help = R"(Example:
  kiln-cache show 3f2a91c07b --ptx

--sass uses nvdisasm or cuobjdump (in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda*) or, for CPU kernels, objdump.

Exit codes: 0 fine; 1 KEY is not there or ambiguous, the entry is broken or has no such text; 2 usage)";

constexpr const char* why_help = R"(Examples:
  kiln-cache why 3f2a91c07b 3f2a91d2e4      field by field; sources line by line
  kiln-cache why 3f2a91c07b                 the kernels of the same expression, the most alike first

What made a program compile, KILN_LOG=info says while it runs.

Exit codes: 0 fine; 1 a KEY is not there or ambiguous; 2 usage)";

constexpr const char* stats_help = R"(Example:
  kiln-cache stats -v                       also hits, misses by reason, and what the hits saved

Exit codes: 0 fine; 1 broken entries are there (named on stderr), or the folder cannot be read; 2 usage)";

constexpr const char* verify_help = R"(Example:
  kiln-cache verify --repair

Files that kiln did not write are named and left alone; they are no fault.

Exit codes: 0 every entry is whole, or was damaged and is removed; 1 something is damaged, unreadable or ignored by
programs and still there; 2 usage)";

constexpr const char* gc_help = R"(Example:
  kiln-cache gc --max-size 200M             keep what was used last

Beyond a bound, entries go until both are kept with a tenth to spare; within them, only what dead processes left behind.

Exit codes: 0 fine; 1 something cannot be read or deleted; 2 usage)";

constexpr const char* rm_help = R"(Example:
  kiln-cache rm 3f2a91c07b

Exit codes: 0 all are removed; 1 a KEY is not there or ambiguous (then nothing is removed), or cannot be deleted; 2 usage)";

constexpr const char* clear_help = R"(Example:
  kiln-cache clear --dry-run                say what would go

Asks nothing. Files that kiln did not write stay, and are named.

Exit codes: 0 fine; 1 something cannot be read or deleted; 2 usage)";

constexpr const char* pack_help = R"(Examples:
  kiln-cache pack app.kpack                 all entries
  kiln-cache pack app.kpack --filter sm_90  those for one GPU

The same entries make the same file.

Exit codes: 0 fine; 1 a KEY is not there, ambiguous or damaged, there is nothing to pack, or the file cannot be written (then
none is); or damaged entries were left out of it (named on stderr); 2 usage)";

constexpr const char* unpack_help = R"(Examples:
  kiln-cache unpack app.kpack --list        what is in it; changes nothing
  kiln-cache unpack app.kpack --dir /usr/share/app/kernels --for-all
                                            as root, for programs that set KILN_CACHE_READONLY

A pack is code: whoever made it can run what they like as whoever uses the folder. Unpack only what you would also run.

Exit codes: 0 fine; 1 the file is no whole pack, or the folder cannot be written; 2 usage)";

constexpr const char* doctor_help = R"(Example:
  kiln-cache doctor --json | jq .problems

Looks at the folder, its file system, who may write it, the driver, NVRTC, the C++ compiler and every variable. Reads no
binaries, which 'kiln-cache verify' does, and starts no compiler.

Exit codes: 0 nothing is wrong; 1 something is, and the last lines say what; 2 usage)";

using command = std::function<int(const request&)>;

/// What parsing fills, and the command that is then run.
struct parsed {
    request asked;
    std::string directory;
    bound max_bytes;
    bound max_entries;
    command run;
    list_request list;
    show_request show;
    why_request why;
    stats_request stats;
    verify_request verify;
    gc_request gc;
    clear_request clear;
    remove_request remove;
    pack_request pack;
    unpack_request unpack;
    std::string help_for;
};

CLI::App* add(CLI::App& app, parsed& into, const char* name, const char* what, const char* help, command run) {
    CLI::App* one = app.add_subcommand(name, what);
    one->footer(std::string("With every command: --dir FOLDER, --json ('kiln-cache help').\n\n") + help);
    one->callback([&into, run = std::move(run)] { into.run = run; });
    return one;
}

/// CLI11 takes "-1" for a very large count.
std::uint64_t count_of(const char* option, const std::string& text) {
    const std::optional<std::int64_t> count = integer(text);
    if (!count || *count < 0) throw CLI::ValidationError(option, text + " is no number of entries");
    return static_cast<std::uint64_t>(*count);
}

sort_key order_of(const std::string& text) {
    if (text == "used") return sort_key::used;
    if (text == "size") return sort_key::size;
    if (text == "compile") return sort_key::compile;
    throw CLI::ValidationError("--sort", text + " is none of used, size and compile");
}

void add_looking(CLI::App& app, parsed& p) {
    CLI::App* list = add(app, p, "ls", "List the entries", list_help,
                         [&p](const request& r) { return kiln_cache::list(r, p.list); });
    list->add_option_function<std::string>(
            "--sort", [&p](const std::string& text) { p.list.sort = order_of(text); },
            "used (default), size or compile: the newest, largest, longest first")
        ->type_name("ORDER");
    list->add_option("--filter", p.list.filter,
                     "Those with TEXT in label, expression, kernel, target or compiler, or whose key begins with it")
        ->type_name("TEXT");
    list->add_option_function<std::string>(
            "--limit", [&p](const std::string& text) { p.list.limit = count_of("--limit", text); },
            "The first N of them")
        ->type_name("N");

    CLI::App* show = add(app, p, "show", "Show one entry", show_help,
                         [&p](const request& r) { return kiln_cache::show(r, p.show); });
    show->add_option("KEY", p.show.key, "The key, or enough of its first digits")->required()->type_name("");
    const auto add_view = [&](const char* option, view what, const char* words) {
        return show->add_flag_callback(
            option, [&p, what] { p.show.what = what; }, words);
    };
    CLI::Option* const views[]{add_view("--source", view::source, "Print its source text"),
                               add_view("--ptx", view::ptx, "Print its PTX, which kiln keeps for CUDA kernels"),
                               add_view("--sass", view::sass, "Disassemble its binary"),
                               add_view("--facts", view::facts, "Print all that is known of it")};
    for (CLI::Option* one : views)
        for (CLI::Option* other : views)
            if (one != other) one->excludes(other);

    CLI::App* why = add(app, p, "why", "Say in what two keys differ, or one and its relatives", why_help,
                        [&p](const request& r) { return kiln_cache::why(r, p.why); });
    why->add_option("KEY", p.why.key, "A key, or enough of its first digits")->required()->type_name("");
    why->add_option("OTHER", p.why.other, "Another; else its nearest relatives")->type_name("");

    CLI::App* stats = add(app, p, "stats", "Sum up the folder", stats_help, [&p](const request& r) {
        p.stats.max_bytes = p.max_bytes;
        p.stats.max_entries = p.max_entries;
        return kiln_cache::stats(r, p.stats);
    });
    stats->add_flag("-v,--verbose", p.stats.verbose,
                    "Also what programs have counted, and shares by generator and options");

    CLI::App* verify = add(app, p, "verify", "Read every byte and report what is wrong", verify_help,
                           [&p](const request& r) { return kiln_cache::verify(r, p.verify); });
    verify->add_flag("--repair", p.verify.repair, "Remove damaged entries, and what dead processes left");
}

void add_cleaning(CLI::App& app, parsed& p) {
    CLI::App* gc = add(app, p, "gc", "Delete the entries used longest ago, if there are too many", gc_help,
                       [&p](const request& r) {
                           p.gc.max_bytes = p.max_bytes;
                           p.gc.max_entries = p.max_entries;
                           return kiln_cache::gc(r, p.gc);
                       });
    gc->add_flag("--dry-run", p.gc.dry_run, "Only say what would go");
    gc->add_option_function<std::string>(
          "--max-size",
          [&p](const std::string& text) {
              const auto bytes = jit_cache::parse_size(text);
              if (!bytes)
                  throw CLI::ValidationError("--max-size", text + " is not a size such as 1073741824, 512M or 2G");
              p.max_bytes = {*bytes, "--max-size"};
          },
          "Bytes to keep at most, with K, M, G or T (default: KILN_CACHE_MAX_SIZE, else 1G)")
        ->type_name("SIZE");
    gc->add_option_function<std::string>(
          "--max-entries",
          [&p](const std::string& text) {
              p.max_entries = {.value = count_of("--max-entries", text), .set_by = "--max-entries"};
          },
          "Entries to keep at most (default: 20000)")
        ->type_name("N");

    CLI::App* rm = add(app, p, "rm", "Delete single entries", rm_help,
                       [&p](const request& r) { return kiln_cache::remove(r, p.remove); });
    rm->add_option("KEY", p.remove.keys, "Keys, or enough of their first digits")->required()->type_name("");
    rm->add_flag("--dry-run", p.remove.dry_run, "Only say what would go");

    CLI::App* clear = add(app, p, "clear", "Delete all entries", clear_help,
                          [&p](const request& r) { return kiln_cache::clear(r, p.clear); });
    clear->add_flag("--dry-run", p.clear.dry_run, "Only say what would go");
}

void add_carrying(CLI::App& app, parsed& p) {
    CLI::App* pack = add(app, p, "pack", "Write entries into one file, to bring along", pack_help,
                         [&p](const request& r) { return kiln_cache::pack(r, p.pack); });
    pack->add_option("OUT", p.pack.file, "The file, by custom .kpack; replaced where it is there")
        ->required()
        ->type_name("");
    pack->add_option("KEY", p.pack.keys, "The entries; all, where none is named")->type_name("");
    pack->add_option("--filter", p.pack.filter, "Those that 'kiln-cache ls --filter TEXT' lists")->type_name("TEXT");

    CLI::App* unpack = add(app, p, "unpack", "Put a pack's entries into the folder", unpack_help,
                           [&p](const request& r) { return kiln_cache::unpack(r, p.unpack); });
    unpack->add_option("FILE", p.unpack.file, "The pack")->required()->type_name("");
    unpack->add_flag("--for-all", p.unpack.for_all, "Folders 0755 and entries 0644, for other users to read");
    unpack->add_flag("--list", p.unpack.list, "Say what it holds; unpack nothing");
}

/// "there is no command 'shwo'; there are ls, show, ..."
std::string no_such_command(const CLI::App& app, const std::string& word) {
    std::string words = "there is no command '" + jit_cache::printable(word) + "'; there are";
    const char* between = " ";
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        words.append(between).append(one->get_name());
        between = ", ";
    }
    return words;
}

/// CLI11's words, but where it only knows that no command was named: then what was named in its place.
std::string why_not_parsed(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App* const at = app.get_subcommands().empty() ? nullptr : app.get_subcommands().front();
    const std::string help = at == nullptr ? "kiln-cache help" : "kiln-cache help " + at->get_name();
    std::string words = jit_cache::printable(error.what());
    const std::vector<std::string> unknown = app.remaining();
    if (at == nullptr && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        if (unknown.empty()) {
            words = "which command?";
        } else if (unknown.front().starts_with('-')) {
            words = "there is no option '" + jit_cache::printable(unknown.front()) + "'";
        } else {
            words = no_such_command(app, unknown.front());
        }
    }
    return words + "\n'" + help + "' says more";
}

/// "kiln-cache help", "kiln-cache help show".
int print_help(const CLI::App& app, const std::string& command_name) {
    if (command_name.empty()) {
        print(app.help());
        return fine;
    }
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (one->get_name() != command_name) continue;
        print(one->help(app.get_name()));
        return fine;
    }
    complain(no_such_command(app, command_name));
    return usage;
}

void take_environment(parsed& into) {
    const jit_cache::settings settings = jit_cache::settings_from_environment();
    into.max_entries.value = settings.max_entries;
    into.max_bytes.value = settings.max_bytes;
    if (jit_cache::parse_size(jit_cache::trust::environment("KILN_CACHE_MAX_SIZE")))
        into.max_bytes.set_by = "KILN_CACHE_MAX_SIZE";
}

}  // namespace

int run_command_line(int count, char** arguments) {
    CLI::App app{summary, "kiln-cache"};
    app.footer(more_help + ("\n" + environment_help()));
    app.set_version_flag("--version", "kiln-cache " KILN_CACHE_VERSION);
    app.require_subcommand(1);
    app.fallthrough();  // --dir and --json are understood on both sides of the subcommand

    parsed into;
    take_environment(into);
    app.add_option("--dir", into.directory, "The folder, instead of the default one")->type_name("FOLDER");
    app.add_flag("--json", into.asked.json, "Print JSON: bytes as numbers, times as ISO 8601 in UTC");
    add_looking(app, into);
    add_cleaning(app, into);
    add_carrying(app, into);
    add(app, into, "doctor", "Say whether anything is wrong here, and what", doctor_help,
        [](const request& r) { return doctor(r); });
    CLI::App* help = add(app, into, "help", "This text, or a command's", "",
                         [&](const request&) { return print_help(app, into.help_for); });
    help->add_option("COMMAND", into.help_for, "The command")->type_name("");

    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
        // --help and --version come this way too, and are no error.
        if (error.get_exit_code() == 0) return app.exit(error);
        complain(why_not_parsed(app, error));
        return usage;
    }
    into.asked.folder = into.directory.empty() ? jit_cache::find_default_directory()
                                               : jit_cache::named_directory{into.directory, "--dir"};
    return into.run(into.asked);
}

}  // namespace kiln_cache
