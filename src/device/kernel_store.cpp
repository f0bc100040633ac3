#include <device/kernel_store.hpp>

#include <process/immortal.hpp>
#include <process/messages.hpp>

#include <cstdlib>

namespace kiln::backend {

namespace {

constinit process::immortal<jit_cache::store> the_store;

jit_cache::store* make_store() {
    jit_cache::settings settings = jit_cache::settings_from_environment();
    settings.warn = [](std::string_view message) { process::warn(message); };
    if (process::informs()) settings.note = [](std::string_view message) { process::inform(message); };
    // Not with the last static object: there is none of which it were known that it is the last.
    std::atexit([] {
        if (jit_cache::store* const made = the_store.if_made()) made->settle();
    });
    return new jit_cache::store(std::move(settings));
}

}  // namespace

jit_cache::store& kernel_store() { return the_store(make_store); }

}  // namespace kiln::backend
