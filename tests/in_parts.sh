#!/usr/bin/env bash
# tests/in_parts.sh PARTS COMMAND...: a doctest program (perhaps behind a sanitizer), its cases cut into parts that run beside
# each other, over one kernel store: most of the time is a compiler's, which uses one processor. Prints what
# the parts printed, one after the other; fails if one does.
set -uo pipefail

parts=$1
shift
# The program and its filters: what is behind the last word that is a path to kiln_test.
counted=()
for each in "$@"; do
    [[ $each == */kiln_test ]] && counted=()
    counted+=("$each")
done
count=$("${counted[@]}" --count | sed -n 's/.*filters: *//p')
[[ $count =~ ^[0-9]+$ ]] || { echo "in_parts: ${counted[0]} does not say how many cases it has" >&2; exit 2; }
size=$(((count + parts - 1) / parts))
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

pids=()
for ((i = 0; i < parts; ++i)); do
    "$@" --first=$((i * size + 1)) --last=$(((i + 1) * size)) >"$logs/$i" 2>&1 &
    pids+=($!)
done
status=0
for ((i = 0; i < parts; ++i)); do
    wait "${pids[i]}" || status=$?
    cat "$logs/$i"
done
printf '%s cases in %s parts, %s elements compared to the bit\n' "$count" "$parts" \
    "$(cat "$logs"/* | awk '/ elements compared to the bit$/ { sum += $1 } END { printf "%.0f", sum }')"
exit "$status"
