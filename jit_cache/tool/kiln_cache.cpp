// kiln-cache: looks into the folder of compiled kernels, and empties it. Needs no GPU and no compiler.
// in: argv   out: an exit code   knows nothing of: the format of entries
#include "commands.hpp"

#include <jit_cache/store.hpp>

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace {

constexpr const char* description = "Shows and empties kiln's folder of compiled kernels.";

constexpr const char* more_help = R"(Examples:
  kiln-cache ls                             what is there, newest use first
  kiln-cache show 3f2a91c07b                one entry; a key's first digits are enough
  kiln-cache show 3f2a --source             the kernel's source text
  kiln-cache ls --json | jq '.entries[] | select(.compile_ms > 100) | .label'
  kiln-cache stats                          how full the folder is, and with what
  kiln-cache gc --max-size 200M             keep what was used last
  kiln-cache clear --dir /tmp/kernels       empty another folder

The folder is $KILN_CACHE_DIR, else $XDG_CACHE_HOME/kiln, else ~/.cache/kiln.

Exit codes:
  0  fine; a missing or empty folder is fine
  1  KEY not found, ambiguous or broken; ls and stats: broken entries are there (named on stderr);
     any command: the folder cannot be read or written
  2  usage)";

}  // namespace

int main(int count, char** arguments) try {
    CLI::App app{description, "kiln-cache"};
    app.footer(more_help);
    app.set_version_flag("--version", "kiln-cache " KILN_CACHE_VERSION);
    app.require_subcommand(1);
    app.fallthrough();  // --dir and --json are understood on both sides of the subcommand

    std::string directory;
    kiln_cache::request asked;
    app.add_option("--dir", directory, "The folder, instead of the default one")->type_name("FOLDER");
    app.add_flag("--json", asked.json, "Print JSON: bytes as numbers, times as ISO 8601 in UTC");

    CLI::App* list = app.add_subcommand("ls", "List the entries, newest use first");
    CLI::App* show = app.add_subcommand("show", "Show one entry");
    std::string key;
    bool source = false;
    show->add_option("KEY", key, "The key, or enough of its first digits")->required();
    show->add_flag("--source", source, "Print the source text (with --json: add it)");
    CLI::App* stats = app.add_subcommand("stats", "Sum up the folder");
    CLI::App* clear = app.add_subcommand("clear", "Delete all entries, and print what was removed");
    CLI::App* collect = app.add_subcommand("gc", "Delete the entries used longest ago, if there are too many");
    const jit_cache::settings settings = jit_cache::settings_from_environment();
    std::uint64_t max_bytes = settings.max_bytes;
    std::uint64_t max_entries = settings.max_entries;
    collect
        ->add_option("--max-size", max_bytes,
                     "Bytes to keep at most, with K, M or G (default: $KILN_CACHE_MAX_SIZE or 1G)")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE");
    collect->add_option("--max-entries", max_entries, "Entries to keep at most (default: 20000)")->type_name("COUNT");

    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
        // --help and --version come this way too, and are no error.
        return app.exit(error) == 0 ? kiln_cache::fine : kiln_cache::usage;
    }

    asked.directory = directory.empty() ? settings.directory : std::filesystem::path(directory);
    int code = kiln_cache::fine;
    if (list->parsed()) code = kiln_cache::list(asked);
    if (show->parsed()) code = kiln_cache::show(asked, key, source);
    if (stats->parsed()) code = kiln_cache::stats(asked);
    if (clear->parsed()) code = kiln_cache::clear(asked);
    if (collect->parsed()) code = kiln_cache::collect(asked, max_bytes, max_entries);
    // Output that never arrived (a full disk, a closed pipe) must not pass for an empty cache.
    if (std::fflush(stdout) != 0) code = kiln_cache::found_wanting;
    return code;
} catch (const std::exception& error) {
    std::fprintf(stderr, "kiln-cache: %s\n", error.what());
    return kiln_cache::found_wanting;
}
