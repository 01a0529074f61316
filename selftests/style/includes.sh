#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Which directory includes from which, in driver/ and helperd/: no circles.
#
#   selftests/style/includes.sh --print	the graph, those first that need nothing

set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
. selftests/lib/ktap.sh

# Where the compiler looks besides in a file's own directory
paths=(helperd driver/uapi kernels)

# resolve FILE NAME: the file of ours that FILE's #include "NAME" means
resolve()
{
	local path

	for path in "${1%/*}" "${paths[@]}"; do
		[ ! -f "$path/$2" ] || { echo "$path/$2"; return; }
	done
	echo "$1 includes $2, which is nowhere" >&2
	return 1
}

# edges: a line "FROM TO" for each pair of directories
edges()
{
	local file name found

	selftests/lib/tracked 'driver/*.[ch]' 'helperd/*.[ch]' |
		xargs grep -oP '^\s*#\s*include "\K[^"]+(?=")' /dev/null |
		while IFS=: read -r file name; do
			found=$(resolve "$file" "$name") || exit
			[ "${file%/*}" = "${found%/*}" ] ||
				echo "${file%/*} ${found%/*}"
		done | sort -u
}

# ordered EDGES: the directories, each after those that it includes from
ordered()
{
	local said status=0

	said=$(tsort <<<"$1" 2>&1) || status=$?
	[ $status -ne 0 ] || { tac <<<"$said"; return; }
	echo "a circle: ${said//tsort: /}"
	return 1
}

print()
{
	local all directory

	all=$(edges)
	for directory in $(ordered "$all"); do
		awk -v from="$directory" '$1 == from { to = to " " $2 }
			END { printf "%-24s%s\n", from, to == "" ? "" : "->" to }' <<<"$all"
	done
}

no_circles()
{
	local all

	all=$(edges)
	# Or else nothing was looked at.
	grep -qx 'helperd/worker helperd/sched' <<<"$all"
	ordered "$all"
}

circle_is_seen()
{
	! ordered "$(edges; echo "helperd/channel helperd/daemon")"
}

[ "${1-}" != --print ] || { print; exit; }
ktap_begin
ktap_test "no circles between directories" no_circles
ktap_test "one that is planted is seen" circle_is_seen
ktap_end
