#!/usr/bin/env python3
"""Tables and plots of what peers.py wrote.

    tables.py [FILE.json...]                  the tables, as Markdown
    tables.py [FILE.json...] --readme README.md [--check]
                                              between <!-- peers: begin --> and <!-- peers: end --> of README.md, and a
                                              plot beside each file; with --check: says whether that is what stands
                                              there, and writes nothing
    tables.py FILE.json --svg FILE.svg        the plot

Without files: of each machine the newest of tests/bench/results, GPUs first.
"""
import argparse
import html
import json
import math
import os
import re
import sys

BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"

# Where kiln's kernels are neither chains nor rows nor totals, bytes and operations do not say how long they take.
OTHER_LOOPS = ("sobel", "running_total", "running_columns", "column_sums", "column_scores", "middle_softmax", "batch_norm", "n_body",
               "nearest_centre", "distances", "gray", "box", "logistic_gradient", "asian_option")
PREDICTED_BYTES = 10e6

# Not peers, but measures.
MEASURES = ("copy", "hand-written")
# kiln where it may do with numbers what peers do with them: row["option"] names the option.
WITH_OPTION = "kiln with an option"
OURS = ("kiln", WITH_OPTION)
ORDER = ("copy", "hand-written") + OURS + ("NumPy", "numexpr", "CuPy", "cupy.fuse", "PyTorch", "jiterator",
         "torch.compile", "JAX jit", "Numba", "Dr.Jit")
COLOURS = {"kiln": "#e4572e", WITH_OPTION: "#f4a58a", "hand-written": "#888888", "NumPy": "#8d6e63", "numexpr": "#00897b", "CuPy": "#43a047",
           "cupy.fuse": "#9ccc65", "PyTorch": "#1e88e5", "jiterator": "#64b5f6", "torch.compile": "#5e35b1",
           "JAX jit": "#d81b9c", "Numba": "#f9a825", "Dr.Jit": "#6d9f9f"}


def columns(content):
    """The contenders that measured anything, in a fixed order."""
    found = {name for row in content["workloads"] for name in row["contenders"]}
    return [name for name in ORDER if name in found] + sorted(found - set(ORDER))


def peers_of(row):
    """Medians of those that one could have chosen instead of kiln, and that were right."""
    return {name: each["median"] for name, each in row["contenders"].items()
            if name not in MEASURES + OURS and name not in row["wrong"]}


# Units in the last place: who is nearer to the truth than this, or nearer than kiln, is as exact.
EXACT = 1.0


def units_off(row, name):
    """How far the contender's farthest element is from the truth; None where nobody has looked."""
    return row["contenders"].get(name, {}).get("units_off")


def as_exact(row, ours="kiln"):
    """Of peers_of() those whose results are as exact as kiln's, by less than a half more; all, where nobody has looked."""
    own = units_off(row, ours)
    if own is None:
        return peers_of(row)
    most = max(EXACT, 1.5 * own)
    return {name: us for name, us in peers_of(row).items() if (units_off(row, name) or 0.0) <= most}


def ratio(row, ours="kiln", peers_of=peers_of):
    """kiln's time over the best peer's; None without one."""
    peers = peers_of(row)
    if not peers or ours not in row["contenders"] or ours in row["wrong"]:
        return None
    return row["contenders"][ours]["median"] / min(peers.values())


def fair_ratio(row, peers_of=peers_of):
    """The same with the option where one allows what peers do."""
    with_option = ratio(row, WITH_OPTION, peers_of)
    return ratio(row, "kiln", peers_of) if with_option is None else with_option


def has_errors(content):
    return any(units_off(row, "kiln") is not None for row in content["workloads"])


def error_text(units):
    return f"{units:.1f}" if units < 9.95 else f"{units:.0f}" if units < 9999.5 else f"{units:.0e}"


def time_text(us):
    if us >= 99_950:
        return f"{us / 1000:.0f} ms"
    if us >= 9_995:
        return f"{us / 1000:.1f} ms"
    return f"{us:.0f}" if us >= 99.5 else f"{us:.1f}"


def line(row):
    """One workload on a terminal."""
    texts = [f"{name} {time_text(each['median'])}" for name, each in
             sorted(row["contenders"].items(), key=lambda pair: pair[1]["median"])]
    return f"{row['name']:<18} " + ", ".join(texts) + ("  WRONG" if row["wrong"] else "")


def subject_of(row):
    """The title and the shape of the largest array."""
    arrays = [(dtype, json.loads(shape)) for dtype, _, shape in
              (each.partition(" ") for each in row["inputs"] + row["results"])]
    dtype, shape = max(arrays, key=lambda each: math.prod(each[1]))
    if len(shape) == 1 and shape[0] >= 1e6:
        return f"{row['title']}; {shape[0] / 1e6:.3g}M {dtype}"
    return f"{row['title']}; {' x '.join(map(str, shape))} {dtype}"


def cell(row, name):
    if name not in row["contenders"]:
        return "-"
    us = row["contenders"][name]["median"]
    if name in row["wrong"]:
        return time_text(us) + " (wrong)"
    text = time_text(us)
    if name not in MEASURES + ("kiln",) and name not in as_exact(row) and name not in OURS:
        text += f" ({error_text(units_off(row, name))})"
    if name == WITH_OPTION:
        text += f" `{row['option']}`"
    return f"**{text}**" if name in OURS and us <= min(peers_of(row).values(), default=math.inf) else text


def summary(content):
    ratios = [each for each in map(fair_ratio, content["workloads"]) if each is not None]
    if not ratios:
        return "No peer was measured."
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    ahead = sum(each <= 1 for each in ratios)
    near = sum(1 < each <= 1.05 for each in ratios)
    options = sorted({f"`{row['option']}`" for row in content["workloads"] if ratio(row, WITH_OPTION) is not None})
    allowed = f", with {' or '.join(options)} where those do the same," if options else ""
    exact = [each for each in (fair_ratio(row, as_exact) for row in content["workloads"]) if each is not None]
    of_exact = (f" Of those as exact as it: ahead in {sum(each <= 1 for each in exact)} of {len(exact)}, behind by more than 5% in "
                f"{sum(each > 1.05 for each in exact)}." if has_errors(content) and exact else "")
    return (f"Against the best peer of each row kiln{allowed} takes {mean:.2f} times as long (geometric mean of {len(ratios)} "
            f"rows): ahead in {ahead}, behind by up to 5% in {near}, by more in {len(ratios) - ahead - near}.{of_exact}")


def predictions(content):
    """How near explain()'s predictions were, where they promise to be near."""
    errors = {row["name"]: row["prediction"]["predicted_us"] / row["prediction"]["measured_us"] - 1
              for row in content["workloads"]
              if "prediction" in row and row["name"] not in OTHER_LOOPS and row["bytes"] > PREDICTED_BYTES}
    if not errors or content["device"] == "cpu":
        return ""
    ordered = sorted(map(abs, errors.values()))
    worst = max(errors, key=lambda name: abs(errors[name]))
    return (f" `explain` predicts the kernels of {len(errors)} rows, chains, rows and totals on more than 10 MB, with a "
            f"median error of {100 * ordered[len(ordered) // 2]:.0f}%; the worst is {100 * errors[worst]:+.0f}%, `{worst}`.")


def subject(content):
    """Machine, date and versions."""
    machine = content["machine"]
    where = machine.get("gpu") or machine["processor"]
    if content["device"] == "cpu":
        where += f", {machine['threads']} threads"
    else:
        where += f", driver {machine.get('driver', '?')}"
    versions = ", ".join(f"{name} {version}" for name, version in sorted(content["versions"].items()))
    again = sorted({row["commit"] for row in content["workloads"] if "commit" in row})
    later = f" (rows with a star {', '.join(again)}, of the same day)" if again else ""
    return (f"{where}; {content['date'][:10]}, commit {content['commit']}{later}; Python {machine['python']}, "
            f"{versions}.")


def markdown(content):
    names = columns(content)
    looked = has_errors(content)
    about_errors = (" In brackets: units in the last place that the farthest element is off, of those that are less exact than kiln and 1."
                    if looked else "")
    more = ["kiln / best as exact", "kiln off by"] if looked else []
    lines = [subject(content) + " Microseconds a call, medians; '-': cannot say it, or was not run." + about_errors, "",
             "| | " + " | ".join(names + ["kiln / best peer"] + more) + " |",
             "|---|" + "---:|" * (len(names) + 1 + len(more))]
    for row in content["workloads"]:
        of_best = [each for each in (ratio(row), ratio(row, WITH_OPTION)) if each is not None]
        last = ", ".join(f"{each:.2f}" for each in of_best) or "-"
        cells = " | ".join(cell(row, name) for name in names)
        star = " \\*" if "commit" in row else ""  # measured again, alone
        if looked:
            exact = fair_ratio(row, as_exact)
            own = units_off(row, "kiln")
            last += f" | {'-' if exact is None else f'{exact:.2f}'} | {'-' if own is None else error_text(own)}"
        lines.append(f"| {subject_of(row)}{star} | {cells} | {last} |")
    return "\n".join(lines) + "\n\n" + summary(content) + predictions(content) + "\n"


# --- The plot ---------------------------------------------------------------------------------------------------------

def plot(content):
    """A row for each workload, a dot for each contender: its time over that of a copy of the same bytes."""
    rows = [row for row in content["workloads"] if "copy" in row["contenders"]]
    names = [name for name in columns(content) if name != "copy"]
    points = [(i, name, each["median"] / row["contenders"]["copy"]["median"])
              for i, row in enumerate(rows) for name, each in row["contenders"].items() if name != "copy"]
    low = math.floor(math.log10(min(0.5, *(x for _, _, x in points))))
    high = math.ceil(math.log10(max(10, *(x for _, _, x in points))))
    left, right, top, step = 400, 930, 64, 18
    bottom = top + step * len(rows)

    def across(x):
        return left + (right - left) * (math.log10(x) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {bottom + 40}" font-family="sans-serif" '
           'font-size="11">',
           # Text in a grey that is read on white and on black; no background.
           "<style>text{fill:#7a7a7a}line{stroke:#7a7a7a;stroke-opacity:.25}.copy{stroke-opacity:.9}</style>"]
    for i, name in enumerate(names):
        x, y = 20 + 155 * (i % 6), 14 + 18 * (i // 6)
        out.append(f'<circle cx="{x}" cy="{y}" r="4.5" fill="{COLOURS.get(name, "#7a7a7a")}"/>'
                   f'<text x="{x + 9}" y="{y + 4}">{html.escape(name)}</text>')
    for power in range(low, high + 1):
        x = across(10.0 ** power)
        kind = ' class="copy"' if power == 0 else ""
        out.append(f'<line{kind} x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{bottom}"/>'
                   f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{10.0 ** power:g}</text>')
    out.append(f'<text x="{(left + right) / 2}" y="{bottom + 32}" text-anchor="middle">time / time of a copy of the '
               'same bytes (less is better)</text>')
    for i, row in enumerate(rows):
        y = top + step * i + step / 2
        title = html.escape(subject_of(row))
        out.append(f'<text x="{left - 10}" y="{y + 4:.1f}" text-anchor="end">{title}</text>'
                   f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
    # kiln last, on top.
    for i, name, x in sorted(points, key=lambda point: point[1] in OURS):
        y = top + step * i + step / 2
        radius = 5.5 if name in OURS else 4
        title = f"{name}: {rows[i]['contenders'][name]['median']:.1f} us"
        out.append(f'<circle cx="{across(x):.1f}" cy="{y:.1f}" r="{radius}" fill="{COLOURS.get(name, "#7a7a7a")}" '
                   f'fill-opacity=".85"><title>{html.escape(title)}</title></circle>')
    return "\n".join(out) + "\n</svg>\n"


# --- The README -------------------------------------------------------------------------------------------------------

def with_tables(text, contents):
    """The README with its part between the markers made anew."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"tables: no lines {BEGIN} and {END}")
    tables = "\n".join(markdown(content) + image(file) for file, content in contents)
    return f"{before}{BEGIN}\n{tables}{END}{after}"


def plot_of(file):
    return re.sub(r"\.json$", ".svg", file)


def image(file):
    """The plot that lies beside the results, if there is one."""
    plot = plot_of(file)
    if not os.path.exists(plot):
        return ""
    return f"\n![Time over a copy's, of each workload](tests/bench/results/{os.path.basename(plot)})\n"


def newest_results():
    """<machine>-<date>-peers.json: the last date of each machine."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "results")
    newest = {}
    for name in sorted(os.listdir(folder)):
        parts = re.fullmatch(r"(.*)-\d{4}-\d\d-\d\d-peers\.json", name)
        if parts:
            newest[parts[1]] = os.path.join(folder, name)
    return list(newest.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--readme")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--svg")
    given = parser.parse_args()
    contents = []
    for file in given.files or newest_results():
        with open(file, encoding="utf-8") as stream:
            contents.append((file, json.load(stream)))
    contents.sort(key=lambda each: each[1]["device"] == "cpu")
    if given.svg and contents:
        with open(given.svg, "w", encoding="utf-8") as stream:
            stream.write(plot(contents[0][1]))
    if not given.readme:
        if not given.svg:
            print("\n".join(markdown(content) for _, content in contents))
        return 0
    with open(given.readme, encoding="utf-8") as stream:
        text = stream.read()
    if not given.check:
        for file, content in contents:
            with open(plot_of(file), "w", encoding="utf-8") as stream:
                stream.write(plot(content))
    made = with_tables(text, contents)
    if given.check:
        if made != text:
            print(f"tables: {given.readme} has other tables than the results: run this without --check")
        return int(made != text)
    with open(given.readme, "w", encoding="utf-8") as stream:
        stream.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
