#!/usr/bin/env bash
# Runs a server beside a disk that gives a few bytes a second: slowdisk.sh PROGRAM FOLDER FILE [BYTES]
# The server serves FOLDER, and FILE, as layer "slow", from a loop device whose reads the kernel throttles
# to BYTES a second (default 4096). Needs Linux, root, and blkio of cgroup version 1. Ends with Ctrl+C.
set -euo pipefail
program=$1 folder=$2 file=$3 bytes=${4:-4096}
work=$(mktemp -d)
size=$(stat -Lc %s "$file")
truncate -s $(((size + size / 8) / 1048576 + 64))M "$work/disk"
mkfs.ext4 -qF "$work/disk"
device=$(losetup -f --show "$work/disk")
group=/sys/fs/cgroup/blkio/slowdisk
end() {
  kill "$server" 2>/dev/null && wait "$server" || true
  rmdir "$group" || true
  umount "$work/slow"; losetup -d "$device"; rm -rf "$work"
}
mkdir "$work/slow"
mount "$device" "$work/slow"
cp -L "$file" "$work/slow/slow.${file##*.}"
sync
mkdir -p "$group"
(echo "$BASHPID" >"$group/cgroup.procs"; exec "$program" serve --state "$work/state" "$folder" "$work/slow") &
server=$!
trap end EXIT
sleep 10 # all layers open, statistics are computed
echo 3 >/proc/sys/vm/drop_caches
printf '%d:%d %d\n' "0x$(stat -c %t "$device")" "0x$(stat -c %T "$device")" "$bytes" >"$group/blkio.throttle.read_bps_device"
echo "reads of layer slow are throttled to $bytes bytes a second"
wait "$server"
