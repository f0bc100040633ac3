// kiln-cache/doctor: doctor: is anything wrong here, and what?
#include "doctor.hpp"

#include "commands.hpp"

namespace kiln_cache {

int doctor(const request& asked) {
    report all(head_json(asked));
    check_folder(asked, all);
    check_read_only_folders(all);
    all.gap();
    check_machine(all);
    all.gap();
    check_settings(all);
    all.print(asked.json);
    return all.code();
}

}  // namespace kiln_cache
