#!/usr/bin/env bash
# tests/in_parts.sh PARTS AT_ONCE COMMAND...: a doctest program (perhaps behind a sanitizer), its cases cut into parts, so many of them
# beside each other, over one kernel store: most of the time is a compiler's, which uses one processor. And a program that has had two
# thousand cases holds gigabytes, which qemu-user copies the pages of for each compiler that it starts.
# Prints what a part printed once it has ended; fails if one does.
set -uo pipefail

parts=$1 at_once=$2
shift 2
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

# part I COMMAND...
part() {
    local log=$logs/$1 status
    "${@:2}" --first=$(($1 * size + 1)) --last=$((($1 + 1) * size)) >"$log" 2>&1
    status=$?
    flock "$logs" cat "$log"  # whole, not among another's lines
    return "$status"
}

status=0
for ((i = 0; i < parts; ++i)); do
    if ((i >= at_once)); then wait -n || status=$?; fi
    part "$i" "$@" &
done
for ((i = 0; i < at_once && i < parts; ++i)); do wait -n || status=$?; done
printf '%s cases in %s parts, %s elements compared to the bit\n' "$count" "$parts" \
    "$(cat "$logs"/* | awk '/ elements compared to the bit$/ { sum += $1 } END { printf "%.0f", sum }')"
exit "$status"
