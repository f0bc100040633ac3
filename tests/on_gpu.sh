#!/usr/bin/env bash
# What only a GPU can answer: the tests on it, with and without compute-sanitizer, and the benchmarks, in about 12 minutes.
# A machine with a GPU is often not the one that builds, so what is needed can be packed on the one and run on the other.
set -uo pipefail
umask 022  # what is unpacked is not for others to write: the tests of trust would say so

usage() {
    cat <<'END'
tests/on_gpu.sh BUILD OUTPUT              run everything; from the root of the repository
tests/on_gpu.sh --pack BUILD DESTINATION  the programs of a build folder, stripped, in one archive: a folder that BUILD may be
tests/on_gpu.sh --seconds N ...           stop starting what is optional after N seconds (700)
tests/on_gpu.sh --only PATTERN ...        only the steps whose names match the regular expression: 'elementwise|scholes'
tests/on_gpu.sh --keep FOLDER ...         the tests' kernels stay in FOLDER, for the warm steps of another call

OUTPUT gets log.txt, summary.txt and results.json. The exit status is 1 when a step failed.
END
}

fail() { printf 'on_gpu: %s\n' "$*" >&2; exit 2; }

# --- Packing ----------------------------------------------------------------------------------------------------------

# The programs, each where a build folder has it.
programs=(
    tests/kiln_test tests/late_evaluation tests/libnvtx_listener.so tests/jit_cache/jit_cache_test tests/jit_cache/jit_cache_helper tests/jit_cache/jit_cache_tool_test
    jit_cache/kiln-cache
    examples/sum_of_five examples/vesting_discount examples/black_scholes examples/mandelbrot examples/heat
    examples/coupled_odes examples/softmax examples/kmeans_step
    bench/gpu_bandwidth bench/gpu_launch bench/gpu_elementwise bench/gpu_elementwise_types bench/gpu_functions bench/gpu_black_scholes
    bench/gpu_reductions bench/gpu_contractions
    bench/gpu_coupled_odes bench/gpu_streams bench/gpu_profile bench/prediction
    bench/first_call bench/cpu_bandwidth bench/warm_call bench/peers_kiln)

pack() {
    local build destination=$2 source each
    build=$(realpath "$1") || fail "there is no folder $1"
    [[ -e $build/CMakeCache.txt ]] || fail "$build is no build folder"
    source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
    mkdir -p "$destination"
    rm -f "$destination/programs.tar.xz"  # of an earlier build
    for each in "${programs[@]}"; do
        if [[ ! -x $build/$each ]]; then
            printf 'on_gpu: not built, left out: %s\n' "$each" >&2
            continue
        fi
        # One that nobody built again would be measured as what it was.
        case $each in
            bench/* | examples/* | tests/kiln_test | tests/late_evaluation) [[ ! $build/$each -ot $build/src/libkiln.a ]] || fail "$each is older than the library: build it" ;;
        esac
        strip -o "$destination/${each##*/}" "$build/$each" || fail "cannot strip $build/$each"
    done
    git -C "$source" describe --always --dirty --abbrev=12 >"$destination/commit" 2>/dev/null || echo unknown >"$destination/commit"
    # Tests know the programs that they start, and the sources, by the paths of the build; see restore_paths.
    printf '%s %s\n' \
        "$build/tests/jit_cache/jit_cache_helper" jit_cache_helper \
        "$build/jit_cache/kiln-cache" kiln-cache \
        "$build/tests/late_evaluation" late_evaluation \
        "$build/tests/libnvtx_listener.so" libnvtx_listener.so \
        "$source" . >"$destination/paths"
    # Each has the library in it, which a dictionary that reaches over all of them finds again: 25 MiB of 400, where gzip leaves 121.
    (cd "$destination" && tar --remove-files -cf - -- * | xz -T1 --lzma2=preset=2,dict=512MiB >../.programs.tar.xz &&
        mv ../.programs.tar.xz programs.tar.xz) || fail "cannot pack $destination"
    local mebibytes
    mebibytes=$(du -sm "$destination" | cut -f1)
    printf '%s: %d MiB\n' "$destination" "$mebibytes"
    # What is carried to a machine with a GPU has to stay small.
    ((mebibytes <= 64)) || fail "that is more than 64 MiB"
}

# Where the packed programs run on another machine, links stand at the build's paths.
restore_paths() {
    local path name
    [[ -e $build/paths ]] || return 0
    while read -r path name; do
        [[ -e $path ]] && continue
        mkdir -p "$(dirname "$path")"
        if [[ $name == . ]]; then ln -sfn "$PWD" "$path"; else ln -sfn "$(realpath "$build/$name")" "$path"; fi
    done <"$build/paths"
}

# --- Steps ------------------------------------------------------------------------------------------------------------

rows=()
failures=0

# step NAME LIMIT_S COMMAND...: runs it, remembers its time and exit status. Its output goes to the log, the end of it to
# the screen as well.
step() {
    local name=$1 limit=$2 start=$EPOCHREALTIME status took from
    shift 2
    [[ $name =~ $only ]] || return 0
    printf '\n==> %s\n' "$name" | tee -a "$log"
    from=$(($(wc -l <"$log") + 1))
    timeout --kill-after=5 "$limit" "$@" </dev/null >>"$log" 2>&1
    status=$?
    took=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    tail -n "+$from" "$log" | tail -n "${show:-12}" | cut -c-180
    if ((status)); then failed_assertions "$name" "$from"; fi
    local verdict=ok
    if ((status == 124 || status == 137)); then verdict="TIME OUT ($limit s)"; elif ((status)); then verdict="FAILED ($status)"; fi
    ((status)) && failures=$((failures + 1))
    rows+=("$(printf '%-44s %8s s  %s' "$name" "$took" "$verdict")")
}

# failed_assertions NAME LINE: of what the log has from that line on, which may be thousands of lines before its end.
failed_assertions() {
    {
        printf '1/1 Test: %s\nOutput:\n' "$1"
        tail -n "+$2" "$log"
        printf '<end of output>\nTest Failed.\n'
    } | awk -f tests/failures.awk
}

left_out() { [[ $1 =~ $only ]] && rows+=("$(printf '%-44s %10s  left out: %s' "$1" - "$2")"); }

# program NAME: its path, in a packed folder or in a build folder; nothing when it is in neither.
program() {
    local each
    if [[ -x $build/$1 ]]; then
        echo "$build/$1"
        return
    fi
    for each in "${programs[@]}"; do
        if [[ ${each##*/} == "$1" && -x $build/$each ]]; then echo "$build/$each"; fi
    done
}

# run NAME LIMIT_S PROGRAM ARGUMENT...: a step, unless the program was not built.
run() {
    local name=$1 limit=$2 path
    path=$(program "$3")
    if [[ -z $path ]]; then
        left_out "$name" "no $3 in $build"
        return
    fi
    shift 3
    step "$name" "$limit" "${before[@]}" "$path" "$@"
}

# optional NAME RESERVE_S PROGRAM ARGUMENT...: run, if more time is left than what comes after needs.
optional() {
    local name=$1 left=$((seconds - SECONDS - $2))
    shift 2
    if ((left < 20)); then left_out "$name" "no time left"; else run "$name" "$left" "$@"; fi
}

all_steps() {
    local before=() sanitizer
    local tests_cache=${kept:-$scratch/tests}

    # PyTorch brings CUPTI, where there is no toolkit.
    local cupti
    cupti=${KILN_BENCH_CUPTI:-$(find / -name 'libcupti.so.13' -not -path '/proc/*' 2>/dev/null | head -n 1)}
    export KILN_DEVICE=cuda KILN_CACHE_DIR=$tests_cache
    step "nvidia-smi" 20 nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem,temperature.gpu --format=csv
    local parts=$((3 * $(nproc)))  # not alike: more than there are cores
    local in_parts=(bash tests/in_parts.sh "$parts" "$parts")
    before=("${in_parts[@]}")
    # What fills the memory runs alone: it leaves none to the parts beside it.
    local filling="huge*,*no device memory is left*,*where memory is short*"
    run "tests, empty cache" 560 kiln_test -tce="$filling"
    run "tests, warm cache" 90 kiln_test -tce="$filling"
    before=()
    run "tests that fill the memory" 60 kiln_test -tc="$filling"
    run "jit_cache tests" 60 jit_cache_test
    run "kiln-cache tests" 60 jit_cache_tool_test

    # initcheck reports what is not read: of an asynchronous copy of fewer bytes than 16 all 16 (the last elements of rows that
    # blocks move, persistent_block_rows.cpp), and what lies between members of accumulators.
    # On kernels from the warm cache, since NVRTC is slow under it. Tests that start processes prove nothing here, and the
    # store's tests touch no GPU. Left out too: tests of errors on purpose, and what takes minutes under it. Only
    # transposed operands and reductions pass through shared memory: racecheck looks at those. What tests/compile looks at
    # runs on the host.
    local filter=(-tce="$filling,case *,*child*,*process*,*fork*,*NVRTC*,*thread*,*error shows*,*random programs*,*promot*"
        -sfe="*tests/compile/*,*tests/errors/compiler_test*")
    if command -v compute-sanitizer >/dev/null; then
        for sanitizer in memcheck initcheck; do
            before=("${in_parts[@]}" compute-sanitizer --tool "$sanitizer" --error-exitcode 99 --print-limit 20 --report-api-errors no)
            optional "compute-sanitizer $sanitizer" 210 kiln_test "${filter[@]}"
        done
        before=(compute-sanitizer --tool racecheck --error-exitcode 99 --print-limit 20 --report-api-errors no)
        optional "compute-sanitizer racecheck" 30 kiln_test -tc="*transpose*,*permute*,*sums of floats are near*,*reductions inside*,*rows: one value*,*rows: other types*,*elements beside*,contractions: b*,contractions: w*" \
            "${filter[@]}"
        before=()
    else
        left_out "compute-sanitizer" "not installed"
    fi

    export KILN_CACHE_DIR=$scratch/bench
    local figures=(--json "$output/results.json" --commit "$commit" --strict)
    show=24
    run "benchmark gpu_bandwidth" 60 gpu_bandwidth "${figures[@]}"
    run "benchmark gpu_launch" 60 gpu_launch "${figures[@]}"
    # About a minute together, half of it NVRTC's.
    show=34 run "benchmark gpu_elementwise" 60 gpu_elementwise "${figures[@]}"
    show=20 run "benchmark gpu_elementwise_types" 60 gpu_elementwise_types "${figures[@]}"
    # NVRTC's time: 200 kernels.
    show=190 run "benchmark gpu_functions" 120 gpu_functions "${figures[@]}"
    run "benchmark gpu_black_scholes" 60 gpu_black_scholes "${figures[@]}"
    run "benchmark gpu_reductions" 300 gpu_reductions "${figures[@]}"
    run "benchmark gpu_contractions" 60 gpu_contractions "${figures[@]}"
    run "benchmark gpu_coupled_odes" 30 gpu_coupled_odes "${figures[@]}"
    show=28 run "benchmark gpu_streams" 60 gpu_streams "${figures[@]}"
    KILN_CUPTI=$cupti run "tests of profiles by CUPTI" 60 kiln_test -tc="*profile*,*rates*,*predict*"
    KILN_CUPTI=0 run "tests of profiles by events" 60 kiln_test -tc="*profile*,*rates*,*predict*"
    KILN_CUPTI=$cupti run "benchmark gpu_profile" 60 gpu_profile "${figures[@]}"
    KILN_CUPTI=0 KILN_BENCH_CUPTI=$cupti show=24 run "benchmark gpu_profile by events" 60 gpu_profile --events "${figures[@]}"
    show=60 run "benchmark prediction" 90 prediction "${figures[@]}" --page "$output/profile-page.html"
    show=40 run "benchmark first_call" 90 first_call "${figures[@]}"
    KILN_DEVICE=cpu run "benchmark cpu_bandwidth" 60 cpu_bandwidth "${figures[@]}"
    run "benchmark warm_call" 40 warm_call "${figures[@]}"
    show=60 run "example sum_of_five" 60 sum_of_five
    run "example vesting_discount" 30 vesting_discount
    run "example black_scholes" 60 black_scholes
    run "example mandelbrot" 30 mandelbrot "$scratch/mandelbrot.pgm"
    run "example heat" 60 heat
    run "example coupled_odes" 60 coupled_odes
    run "example softmax" 60 softmax
    run "example kmeans_step" 60 kmeans_step
    # Beside all that is installed of CuPy, PyTorch, JAX, Numba and Dr.Jit: what those compile takes most of the time.
    local left=$((seconds - SECONDS - 25)) peers_kiln
    peers_kiln=$(program peers_kiln)
    ((left <= 280)) || left=280
    if [[ -z $peers_kiln ]]; then
        left_out "peers" "no peers_kiln in $build"
    elif ! command -v python3 >/dev/null; then
        left_out "peers" "no python3"
    elif ((left < 60)); then
        left_out "peers" "no time left"
    else
        show=70 step "peers" $((left + 25)) python3 tests/bench/peers/peers.py --kiln "$peers_kiln" --commit "$commit" \
            --seconds "$left" --json "$output/peers.json" --svg "$output/peers.svg"
    fi
}

seconds=700
only=.
kept=
while [[ ${1-} == --seconds || ${1-} == --only || ${1-} == --keep ]]; do
    case $1 in
        --seconds) seconds=$2 ;;
        --only) only=$2 ;;
        --keep) kept=$2 ;;
    esac
    shift 2
done
if [[ -n $kept ]]; then
    mkdir -p "$kept"
    kept=$(realpath "$kept")
fi
case ${1-} in
    --pack)
        (($# == 3)) || { usage >&2; exit 2; }
        pack "$2" "$3"
        exit
        ;;
    "" | -*)
        usage >&2
        exit 2
        ;;
esac
(($# == 2)) || { usage >&2; exit 2; }
[[ -e tests/on_gpu.sh ]] || fail "run it from the root of the repository"

build=$1 output=$2
mkdir -p "$output"
output=$(realpath "$output")
log=$output/log.txt
: >"$log"
scratch=$(mktemp -d)
chmod 755 "$scratch"  # some tests start a program as another user
trap 'rm -rf "$scratch"' EXIT
if [[ -e $build/programs.tar.xz ]]; then
    mkdir "$scratch/programs"
    tar -xJf "$build/programs.tar.xz" -C "$scratch/programs" || fail "cannot unpack $build/programs.tar.xz (xz-utils?)"
    build=$scratch/programs
fi
commit=$(cat "$build/commit" 2>/dev/null || git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
# Not on the PATH everywhere where a toolkit is installed.
for each in /usr/local/cuda/bin /usr/local/cuda/compute-sanitizer /opt/cuda/bin /usr/local/nvidia/bin; do
    if [[ -d $each ]]; then PATH+=":$each"; fi
done
export PATH

restore_paths
all_steps
{
    printf '\n%s, commit %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$commit"
    printf '%s\n' "${rows[@]}"
    printf '%d of %d steps failed, %d s in all\n' "$failures" "${#rows[@]}" "$SECONDS"
} | tee "$output/summary.txt"
((failures == 0))
