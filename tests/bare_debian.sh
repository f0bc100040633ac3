#!/usr/bin/env bash
# Proves the README's two commands on a bare Debian 12: nothing but the sources and git, no CUDA, no GPU, no compiler.
# Makes such a system in a temporary folder with debootstrap, runs ./dev demo and ./dev test there, says how long each
# took, and removes the folder. Needs root, debootstrap and a Debian mirror; about 15 minutes; no CTest, for that.
#   tests/bare_debian.sh [--keep] [log file, default build/bare_debian.log] [arguments of ./dev test]
set -euo pipefail
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$source_tree"

keep=0
if [[ ${1-} == --keep ]]; then keep=1; shift; fi
log=$(realpath -m "${1:-build/bare_debian.log}")
(($#)) && shift
test_arguments=("$@")

((EUID == 0)) || { echo "bare_debian: needs root, for chroot and mount" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare_debian: apt-get install debootstrap" >&2; exit 1; }
mkdir -p "$(dirname "$log")"
exec > >(tee "$log") 2>&1

say() { printf '### %s  %s\n' "$(date -u +%H:%M:%S)" "$*"; }

# The host's mirror of the release, in either form of apt's sources.
mirror=$(sed -nE -e 's#^URIs: *(\S+/debian/?)( .*)?$#\1#p' -e 's#^deb (\[[^]]*\] )?(\S+/debian/?) .*#\2#p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1) || true
mirror=${mirror:-http://deb.debian.org/debian}

root=$(mktemp -d "${TMPDIR:-/tmp}/bare_debian.XXXXXX")
# Tests that give up root still have to reach what is below it.
chmod 755 "$root"
mounted=()
clean_up() {
    local point
    # Programs of the chroot end with it; a mount that stays would let rm walk into the host's /dev.
    for point in "${mounted[@]}"; do umount --lazy "$root/$point"; done
    if ((keep)); then say "kept: $root"; elif ! grep -qs " $root/" /proc/mounts; then rm -rf --one-file-system "$root"; fi
}
trap clean_up EXIT

# step NAME COMMAND...: runs it, says how long it took, remembers both for the closing table.
table=()
status=0
step() {
    local name=$1 start=$SECONDS result=ok
    shift
    say "$name"
    "$@" || { result="failed ($?)"; status=1; }
    table+=("$(printf '%-28s %4d s  %s' "$name" $((SECONDS - start)) "$result")")
}

inside() { chroot "$root" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

step "debootstrap minbase" debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" "$mirror"
((status == 0)) || { printf '%s\n' "${table[@]}"; exit 1; }

# Reach the mirror as the host does: its resolver, its proxies, its trust; the updates and security parts beside it.
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
apt-config dump | grep -E '^Acquire::(http|https|ftp)::|^Acquire::Check-' >"$root/etc/apt/apt.conf.d/00host" || true
cat >"$root/etc/apt/sources.list" <<END
deb $mirror bookworm main
deb $mirror bookworm-updates main
deb ${mirror%/debian*}/debian-security bookworm-security main
END

# What a clone holds: the tracked files and those about to be.
mkdir -p "$root/kiln"
git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - | tar -xf - -C "$root/kiln"

mount -t proc proc "$root/proc" && mounted=(proc)
# Of the host's /dev only what every machine has: with the whole of it a host's GPU would be there too.
mount -t tmpfs -o mode=755 tmpfs "$root/dev" && mounted=(dev "${mounted[@]}")
for node in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0"; do
    read -r name major minor <<<"$node"
    mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir -m 1777 "$root/dev/shm"

say "compilers there: $(inside sh -c 'command -v c++ cmake ninja nvcc || echo none')"
step "./dev demo" inside sh -c 'cd /kiln && ./dev demo'
step "./dev test ${test_arguments[*]-}" inside sh -c 'cd /kiln && ./dev test "$@"' sh "${test_arguments[@]}"
step "./dev demo, a second time" inside sh -c 'cd /kiln && ./dev demo'

say "on $(nproc) cores, $(awk '/MemTotal/ { printf "%d GiB", $2 / 1048576 }' /proc/meminfo):"
printf '%s\n' "${table[@]}"
exit "$status"
