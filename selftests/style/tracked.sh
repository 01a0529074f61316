#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What every tracked file must and must not hold

set -euo pipefail

cd "$(dirname "$0")/../.."
. selftests/lib/ktap.sh

mapfile -t files < <(selftests/lib/tracked)

# Mirrors come from the machine's own configuration, never from the source.
no_mirror()
{
	local hosts
	# A file that is not there is not missing.
	hosts=$({ find /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/mirrors \
		/etc/pip.conf ~/.config/pip/pip.conf ~/.npmrc -type f \
		-exec grep -hv '^ *#' {} + 2>/dev/null || true; } |
		grep -oE 'https?://[^ /"]+' | sed 's|.*://||' | sort -u)
	[ -n "$hosts" ]
	! grep -nFf <(echo "$hosts") -- "${files[@]}"
}

no_path_of_this_machine()
{
	! grep -nE "(^|[^]})[:alnum:]_.])($PWD|${HOME:-/root})/" -- "${files[@]}"
}

licensed()
{
	local file bare=()
	for file in "${files[@]}"; do
		case $file in
		COPYING|README.md|.gitignore|*.conf|*.json|*.svg|*.bin|*.hex|*.pcap) continue ;;
		esac
		[[ $(head -n 5 "$file") == *SPDX-License-Identifier* ]] || bare+=("$file")
	done
	[ ${#bare[@]} -eq 0 ] || printf 'no SPDX line: %s\n' "${bare[@]}"
	[ ${#bare[@]} -eq 0 ]
}

no_trailing_space()
{
	! grep -nIE '[[:blank:]]+$' -- "${files[@]}"
}

# What is done for one algorithm and no other has to be told of each new one: where not
# its own code or a table is, properties are asked for (Documentation/porting.rst).
no_algorithm_by_name()
{
	local names
	names=$(sed -n 's/^\tWAVECRYPT_ALG_\([A-Z0-9_]*\)\t*= [1-9].*/\1/p' driver/uapi/wavecrypt.h |
		paste -sd'|')
	[[ $names == *CBC_SHA1*GCM* ]]
	! grep -nE "ALG_($names)([^A-Z0-9_]|$)" -- "${files[@]}" |
		grep -E '^(driver|helperd|kernels)/' |
		grep -vE '^(driver/uapi/wavecrypt\.h|helperd/ctl/bench_vectors\.c):'
}

# unguarded FILE...: places where a channel's queues are looked up by anything but 0, what
# counts them, and array_index_nospec(). It may be a number that a helper gave.
unguarded()
{
	awk '
		/^}/ { delete counts }
		/\tfor_each_([a-z]+_)?cpu\(/ { counts["nr"]; counts["nr++"] }
		/\tfor \(i = 0; i < [a-z]+->nr_queues; i\+\+\)/ { counts["i"] }
		match($0, /->queue\[[^]]*/) {
			by = substr($0, RSTART + 8, RLENGTH - 8)
			if (by != "0" && !(by in counts) && by !~ /^array_index_nospec\(/)
				print FILENAME ":" FNR ":" $0
		}' "$@"
}

# What a processor guesses of such a number must not matter either.
queues_by_number()
{
	local found
	found=$(unguarded driver/*.[ch])
	echo "$found"
	[ -z "$found" ]
	# One that is planted is seen.
	[ -n "$(sed 's/wc_channel_queue(ch, \([^)]*\))/ch->queue[\1]/' driver/device.c |
		unguarded)" ]
}

ktap_begin
ktap_test "no mirror's name" no_mirror
ktap_test "no path of this machine" no_path_of_this_machine
ktap_test "every file names its licence" licensed
ktap_test "no blanks at a line's end" no_trailing_space
ktap_test "algorithms by their names: in tables" no_algorithm_by_name
ktap_test "queues by their numbers: where these are bounded" queues_by_number
ktap_end
