// kiln-cache/commands: the subcommands, a source file each (gc, clear and rm share one).
// in: what was asked for   out: text or JSON on stdout, complaints on stderr, an exit code   knows nothing of: argv
#pragma once

#include "request.hpp"

namespace kiln_cache {

int list(const request& asked, const list_request& how);
int show(const request& asked, const show_request& how);
int why(const request& asked, const why_request& how);
int stats(const request& asked, const stats_request& how);
int verify(const request& asked, const verify_request& how);
int gc(const request& asked, const gc_request& how);
int clear(const request& asked, const clear_request& how);
int remove(const request& asked, const remove_request& how);
int pack(const request& asked, const pack_request& how);
int unpack(const request& asked, const unpack_request& how);
int doctor(const request& asked);

}  // namespace kiln_cache
