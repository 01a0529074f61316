#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# sparse, on the module. Debian 12's does not know all that later kernels'
# headers are written in.
#
# debs: kernel 6.1

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

dir=$top/build/style/sparse
out=$top/build/style/sparse.out

build()
{
	rm -rf "$dir"
	mkdir -p "$dir"
	make --no-print-directory KERNEL=6.1 MODDIR="$dir" MODARGS="C=1" module >"$out" 2>&1 || {
		cat "$out"
		return 1
	}
}

# file FILE: sparse ran on it, and has nothing to say of it
file()
{
	grep -qE "CHECK +.*/$1$" "$out" || {
		echo "sparse did not run on it"
		return 1
	}
	! grep -E "(^|/)$1:[0-9]+:" "$out"
}

ktap_begin
ktap_test "6.1 builds with C=1" build
# What of driver/ is built for this machine
mapfile -t sources < <(cd driver && find . -name '*.c' -printf '%P\n' | sort |
	while read -r name; do
		[ ! -e "$dir/driver/${name%.c}.o" ] || echo "$name"
	done)
for name in "${sources[@]}"; do
	ktap_test "$name" file "$name"
done
mapfile -t headers < <(cd driver && find . -name '*.h' -printf '%f\n' | sort)
for name in "${headers[@]}"; do
	ktap_test "$name" eval "! grep -E '/$name:[0-9]+:' '$out'"
done
ktap_end
