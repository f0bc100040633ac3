"""GDB prints k::array as type, shape and device, and the elements of one that is in the host's memory.

    (gdb) source <prefix>/share/kiln/kiln_gdb.py
    (gdb) print x
    $1 = float32 (2, 3) on cpu = {0, 1, 2, 3, 4, 5}

It asks kiln in the stopped process, so it prints nothing of a core file.
"""
import re

import gdb
import gdb.printing


class ArrayPrinter:
    """of kiln::array<T>. Elements are row-major, as many as `set print elements` says; a GPU's are not fetched."""

    def __init__(self, value):
        self.value = value
        self.element = value.type.strip_typedefs().template_argument(0)
        self.node = value["node_"]["node_"]
        self.summary, self.address, self.size = "", 0, 0
        if int(self.node) == 0:
            return
        asked = f"((const char *(*)(const void *))kiln_debug_array)((const void *){int(self.node)})"
        try:
            said = gdb.parse_and_eval(asked).string()
        except gdb.error as trouble:  # no process, or one that may not be called into
            self.summary = f"kiln::array ({trouble})"
            return
        found = re.fullmatch(r"(.*) at (0x[0-9a-f]+), (\d+) elements", said)
        self.summary = found[1] if found else said
        if found and " on cpu" in self.summary:
            self.address, self.size = int(found[2], 16), int(found[3])

    def to_string(self):
        return self.summary if int(self.node) else "an array without a value"

    def display_hint(self):
        return "array"

    def children(self):
        elements = gdb.Value(self.address).cast(self.element.pointer())
        for i in range(self.size):  # GDB stops asking after as many as it shows
            yield str(i), elements[i]


def printers():
    collection = gdb.printing.RegexpCollectionPrettyPrinter("kiln")
    collection.add_printer("array", r"^kiln::(v\d+_\d+::)?array<.*>$", ArrayPrinter)
    return collection


gdb.printing.register_pretty_printer(None, printers(), replace=True)
